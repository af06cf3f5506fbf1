import type { Creative } from '../../../../client/routes.ts';
import classes from './creatives.module.css';

const WORDS: Readonly<Record<string, string>> = {
  text: 'Aa',
  html: '</>',
  html5: 'HTML5',
  rich_media: '</>',
  vast: 'VAST',
};

type Seen = Pick<Creative, 'creative_type' | 'image_url' | 'video_url'>;

/** Small, and without running anything: a picture, a video's first one, or what kind it is. */
export function Thumbnail({ creative }: { creative: Seen }) {
  const { image_url: image, video_url: video, creative_type: kind } = creative;
  return (
    <span className={classes['thumbnail']} aria-hidden>
      {image !== null ? (
        <img src={image} alt="" loading="lazy" />
      ) : kind === 'video' && video !== null ? (
        // Its head alone is loaded.
        <video src={video} preload="metadata" muted tabIndex={-1} />
      ) : (
        <span>{WORDS[kind] ?? kind}</span>
      )}
    </span>
  );
}
