import type { FieldError } from '../errors.ts';
import { type CreativeType, DISPLAY_OF, type DisplayType } from '../inventory.ts';

const fault = (field: string, code: string, message: string): FieldError => ({
  field,
  code,
  message,
});

/** What a creative shows, as far as the rule "exactly one source per type" looks at it. */
export interface CreativeSources {
  imageMediaId: number | null;
  imageMediaId2: number | null;
  videoMediaId: number | null;
  html5MediaId: number | null;
  htmlCode: string | null;
  vastXml: string | null;
  vastUrl: string | null;
}

interface SourceRule {
  /** Exactly one of these is given; none for `text`, whose copy comes from the ad. */
  oneOf: readonly (keyof CreativeSources)[];
  /** May be given beside it. */
  optional: readonly (keyof CreativeSources)[];
}

const SOURCES: Readonly<Record<CreativeType, SourceRule>> = {
  image: { oneOf: ['imageMediaId'], optional: ['imageMediaId2'] },
  native: { oneOf: ['imageMediaId'], optional: ['imageMediaId2'] },
  text: { oneOf: [], optional: [] },
  html: { oneOf: ['htmlCode'], optional: [] },
  html5: { oneOf: ['html5MediaId'], optional: ['imageMediaId'] },
  rich_media: { oneOf: ['htmlCode'], optional: ['imageMediaId', 'imageMediaId2'] },
  video: { oneOf: ['videoMediaId'], optional: ['imageMediaId'] },
  vast: { oneOf: ['vastXml', 'vastUrl'], optional: [] },
};

const WIRE: Readonly<Record<keyof CreativeSources, string>> = {
  imageMediaId: 'image_media_id',
  imageMediaId2: 'image_media_id_2',
  videoMediaId: 'video_media_id',
  html5MediaId: 'html5_media_id',
  htmlCode: 'html_code',
  vastXml: 'vast_xml',
  vastUrl: 'vast_url',
};
const SOURCE_KEYS = Object.keys(WIRE) as (keyof CreativeSources)[];

/**
 * No source but its type's, never two, and a display type that it can fill (interface 2.5). That it
 * has one is asked when somebody is to look at it (missingSource).
 */
export function creativeFaults(
  creativeType: CreativeType,
  displayType: DisplayType,
  sources: CreativeSources,
): FieldError[] {
  const rule = SOURCES[creativeType];
  const given = SOURCE_KEYS.filter((key) => sources[key] !== null);
  const main = rule.oneOf.filter((key) => sources[key] !== null);
  const faults = given
    .filter((key) => !rule.oneOf.includes(key) && !rule.optional.includes(key))
    .map((key) => fault(WIRE[key], 'source_not_allowed', `Not a source of type ${creativeType}.`));
  if (main.length > 1) {
    const [, ...rest] = rule.oneOf;
    faults.push(
      ...rest.map((key) => fault(WIRE[key], 'source_not_allowed', 'Exactly one source.')),
    );
  }
  if (!DISPLAY_OF[creativeType].includes(displayType)) {
    const allowed = DISPLAY_OF[creativeType].join(', ');
    faults.push(fault('type', 'one_of', `Type ${creativeType} is shown as ${allowed}.`));
  }
  return faults;
}

/** What a creative still needs before it can be shown: without it, it is a draft (interface 2.5). */
export function missingSource(creativeType: CreativeType, sources: CreativeSources): FieldError[] {
  const { oneOf } = SOURCES[creativeType];
  const [first] = oneOf;
  if (first === undefined || oneOf.some((key) => sources[key] !== null)) return [];
  return [fault(WIRE[first], 'required', `Type ${creativeType} needs it before it is submitted.`)];
}
