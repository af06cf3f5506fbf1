import type { Creative, CreativeRevision } from '../../../../client/routes.ts';

/** What of a creative can be written; which of it a kind takes, `contentOf` says. */
export interface Content {
  name: string;
  image_media_id: number | null;
  video_media_id: number | null;
  html5_media_id: number | null;
  html_code: string | null;
  vast_url: string | null;
  vast_xml: string | null;
  width: number | null;
  height: number | null;
}

export const EMPTY_CONTENT: Content = {
  name: '',
  image_media_id: null,
  video_media_id: null,
  html5_media_id: null,
  html_code: null,
  vast_url: null,
  vast_xml: null,
  width: null,
  height: null,
};

const SOURCES: Readonly<Record<string, readonly (keyof Content)[]>> = {
  image: ['image_media_id', 'width', 'height'],
  native: ['image_media_id', 'width', 'height'],
  text: [],
  html: ['html_code', 'width', 'height'],
  html5: ['html5_media_id', 'width', 'height'],
  rich_media: ['html_code', 'width', 'height'],
  video: ['video_media_id'],
  vast: ['vast_url', 'vast_xml', 'width', 'height'],
};

/** Only what this kind shows; an empty text is none. */
export function contentOf(kind: string, content: Content): { name: string } & Partial<Content> {
  const fields = SOURCES[kind] ?? [];
  const given = fields.map((field) => [field, content[field] === '' ? null : content[field]]);
  return { name: content.name, ...(Object.fromEntries(given) as Partial<Content>) };
}

export const contentFrom = (row: Creative): Content => ({
  name: row.name,
  image_media_id: row.image_media_id,
  video_media_id: row.video_media_id,
  html5_media_id: row.html5_media_id,
  html_code: row.html_code,
  vast_url: row.vast_url,
  vast_xml: row.vast_xml,
  width: row.width,
  height: row.height,
});

const SEEN = [
  'image_media_id',
  'image_media_id_2',
  'video_media_id',
  'icon_media_id',
  'html5_media_id',
  'html_code',
  'vast_xml',
  'vast_url',
  'click_url',
  'width',
  'height',
] as const;

/** What a viewer could tell apart; a file by its number, as its address is another for each look. */
export const seenOf = (revision: CreativeRevision) =>
  Object.fromEntries(SEEN.map((field) => [field, revision[field]]));
