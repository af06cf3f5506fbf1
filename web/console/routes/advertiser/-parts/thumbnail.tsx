import type { Creative } from '../../../../client/routes.ts';
import classes from './creatives.module.css';

const WORDS: Readonly<Record<string, string>> = {
  text: 'Aa',
  html: '</>',
  html5: 'HTML5',
  rich_media: '</>',
  video: '▶',
  vast: 'VAST',
};

type Seen = Pick<Creative, 'creative_type' | 'image_url' | 'video_url' | 'width' | 'height'>;

/** Small, and without running anything: a picture, or what kind it is. */
export function Thumbnail({ creative }: { creative: Seen }) {
  const { image_url: image, creative_type: kind } = creative;
  return (
    <span className={classes['thumbnail']} aria-hidden>
      {image === null ? (
        <span>{WORDS[kind] ?? kind}</span>
      ) : (
        <img src={image} alt="" loading="lazy" />
      )}
    </span>
  );
}
