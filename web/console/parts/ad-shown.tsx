import type { DisplayType } from '../../../domain/auction/types.ts';
import { adDocument } from '../../../domain/creative/markup.ts';
import { Preview } from './preview.tsx';

/** What is made of an ad's words: its creative alone says little or nothing. */
const OF_WORDS: readonly string[] = ['TEXT', 'NATIVE'] satisfies DisplayType[];

export const isOfWords = (display: string): boolean => OF_WORDS.includes(display);

const USUAL = { width: 300, height: 250 };

/** As the API names them. */
interface Words {
  title: string | null;
  description: string | null;
  button_text: string | null;
  brand_name: string | null;
  display_url: string | null;
}
export interface Pictures {
  width: number | null;
  height: number | null;
  image_url: string | null;
  video_url: string | null;
  icon_url: string | null;
}

/** The document that viewers get, without its pixel: looking at it is no impression. */
export function AdShown(props: {
  words: Words;
  name: string;
  display: string;
  pictures: Pictures;
  landingUrl: string;
}) {
  const { words, name, display, pictures, landingUrl } = props;
  const { width, height } = pictures;
  const size = width === null || height === null ? USUAL : { width, height };
  const html = adDocument({
    display: display as DisplayType,
    title: words.title,
    description: words.description,
    buttonText: words.button_text,
    brandName: words.brand_name,
    displayUrl: words.display_url,
    imageUrl: pictures.image_url,
    videoUrl: pictures.video_url,
    iconUrl: pictures.icon_url,
    html5Url: null,
    code: null,
    ...size,
    isFluid: false,
    drawnFor: null,
    words: { lang: document.documentElement.lang, ad: name },
    clickUrl: landingUrl,
    pixelUrl: '',
    isServed: false,
    progressUrl: null,
  });
  return <Preview creative={{ name: words.title ?? name, html_code: html, ...size }} />;
}
