import type { Creative } from '../../../../client/routes.ts';
import type { Previewed } from '../../../parts/preview.tsx';
import type { Asset } from '../../../queries/advertiser/media.ts';

/** What an ad shows: a file that was uploaded just now, or a creative that exists. */
export type Shown = { from: 'file'; asset: Asset } | { from: 'library'; creative: Creative };

export const ACCEPTED_OF = {
  IMAGE: 'image/jpeg,image/png,image/gif,image/webp,image/avif',
  VIDEO: 'video/mp4,video/webm',
  HTML5: '.zip',
};

export const ACCEPTED = Object.values(ACCEPTED_OF).join(',');

export const keyOf = (shown: Shown): string =>
  shown.from === 'library' ? `creative-${shown.creative.id}` : `file-${shown.asset.id}`;

export const nameOf = (shown: Shown): string =>
  shown.from === 'library' ? shown.creative.name : nameOfAsset(shown.asset);

/** A file's name without what only machines read. */
export function nameOfAsset({ name, id }: Asset): string {
  const words = (name ?? '')
    .replace(/\.\w{2,5}$/, '')
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  return words === '' ? `#${id}` : words;
}

export const previewOf = (shown: Shown): Previewed =>
  shown.from === 'library' ? shown.creative : previewOfAsset(shown.asset);

export const previewOfAsset = (asset: Asset): Previewed => ({
  name: asset.name ?? `#${asset.id}`,
  width: asset.width,
  height: asset.height,
  image_url: asset.type === 'IMAGE' ? asset.url : null,
  video_url: asset.type === 'VIDEO' ? asset.url : null,
  html5_url: asset.type === 'HTML5' ? asset.url : null,
});

/** A campaign is called as its pictures are, without what tells them apart. */
export function withoutSize(name: string): string {
  const short = name.replace(/[\s(]*\d{2,4}\s*[x×*]\s*\d{2,4}\)?$/i, '').trim();
  return short === '' ? name : short;
}

/** On a page; of a zip that does not say its own, none. */
export const sizeOf = (shown: Shown): { width: number | null; height: number | null } =>
  shown.from === 'library' ? shown.creative : shown.asset;

/** Of a zip its page may say it (`ad.size`); of others somebody has to. */
export const hasNoSize = ({ type, width }: Asset): boolean => type === 'HTML5' && width === null;
