import type * as yup from 'yup';
import type { CreativeRevisionScreenRow } from '../../db/queries/creative-revisions.ts';
import { record, words, wordsOrNull } from '../http/response-shapes.ts';
import type { adRevisionShape } from './ad.ts';
import { presentCreativeRevision } from './creative.ts';
import type { AddressOf } from './media.ts';

export const changeShape = record({ field: words(), before: wordsOrNull(), after: wordsOrNull() });
type Change = yup.InferType<typeof changeShape>;

/** Of a revision, what a viewer can see; files by their ids. */
const CONTENT = [
  'size_id',
  'width',
  'height',
  'image_media_id',
  'image_media_id_2',
  'video_media_id',
  'icon_media_id',
  'html5_media_id',
  'html_code',
  'vast_xml',
  'vast_url',
  'click_url',
] as const;

/** Field by field, what the proposed revision changes. */
export function presentChanges(
  before: CreativeRevisionScreenRow | null,
  after: CreativeRevisionScreenRow | null,
  addressOf: AddressOf,
): Change[] {
  if (before === null || after === null) return [];
  const was = presentCreativeRevision(before, addressOf);
  return differing(CONTENT, was, presentCreativeRevision(after, addressOf));
}

const AD_CONTENT = [
  'creative_id',
  'landing_url',
  'title',
  'description',
  'button_text',
  'brand_name',
  'display_url',
] as const;

type AdRevision = yup.InferType<typeof adRevisionShape>;

export const presentAdChanges = (before: AdRevision | null, after: AdRevision | null): Change[] =>
  before === null || after === null ? [] : differing(AD_CONTENT, before, after);

type Shown = string | number | null;

const differing = <Field extends string>(
  fields: readonly Field[],
  was: Readonly<Record<Field, Shown>>,
  is: Readonly<Record<Field, Shown>>,
): Change[] =>
  fields
    .filter((field) => was[field] !== is[field])
    .map((field) => ({ field, before: wordOf(was[field]), after: wordOf(is[field]) }));

const wordOf = (value: Shown): string | null => (value === null ? null : String(value));
