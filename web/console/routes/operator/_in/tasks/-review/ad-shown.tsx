import type { DisplayType } from '../../../../../../../domain/auction/types.ts';
import { adDocument } from '../../../../../../../domain/creative/markup.ts';
import { Preview } from '../../../../../parts/preview.tsx';
import type { TaskPage } from '../../../../../queries/operator/task.ts';

type Detail = TaskPage['detail'];

/** What is made of an ad's words: its creative alone says little or nothing. */
const OF_WORDS: readonly string[] = ['TEXT', 'NATIVE'] satisfies DisplayType[];

export const isOfWords = ({ creative }: Detail): boolean =>
  creative !== null && OF_WORDS.includes(creative.type);

const USUAL = { width: 300, height: 250 };

/** The document that viewers get, without its pixel: looking at it is no impression. */
export function AdShown(props: {
  words: NonNullable<Detail['ad_revision']>;
  detail: Detail;
  landingUrl: string;
}) {
  const { words, detail, landingUrl } = props;
  const { creative, revision } = detail;
  // Of another creative than the one that lies here, the pictures are not known.
  if (creative === null || revision === null || words.creative_id !== creative.id) return null;
  const { width, height } = revision;
  const size = width === null || height === null ? USUAL : { width, height };
  const html = adDocument({
    display: creative.type as DisplayType,
    title: words.title,
    description: words.description,
    buttonText: words.button_text,
    brandName: words.brand_name,
    displayUrl: words.display_url,
    imageUrl: revision.image_url,
    videoUrl: revision.video_url,
    iconUrl: revision.icon_url,
    html5Url: null,
    code: null,
    ...size,
    isFluid: false,
    drawnFor: null,
    clickUrl: landingUrl,
    pixelUrl: '',
    progressUrl: null,
  });
  return <Preview creative={{ name: words.title ?? creative.name, html_code: html, ...size }} />;
}
