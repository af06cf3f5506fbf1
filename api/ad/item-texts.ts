import { type ByteText, byteText } from '../http/byte-text.ts';
import { freshText } from '../../domain/tracking/fresh-bytes.ts';
import {
  type ItemForm,
  type ItemFrame,
  type ItemIds,
  type ItemWriter,
  presentDocument,
  presentItem,
} from './item.ts';
import type { ServableAd } from './servable-ads.ts';
import { vastAdOf, vastDocument } from './vast-item.ts';
import type { VastVersion } from '../../domain/creative/vast.ts';

type Present = (ad: ServableAd, frame: ItemFrame, ids: ItemIds) => string;

const presentVast =
  (version: VastVersion): Present =>
  (ad, frame, ids) =>
    vastDocument(version, [vastAdOf(ad, frame, ids)], frame.trackUrl);

const FORMS: Readonly<Record<ItemForm, Present>> = {
  json: (...item) => JSON.stringify(presentItem(...item)),
  html: presentDocument,
  'vast-2.0': presentVast('2.0'),
  'vast-4.2': presentVast('4.2'),
};

/** Characters of all texts together; the ads that nobody asked for longest are made again. */
const CHARS_MAX = 64 * 1024 * 1024;

/** Nothing that an advertiser can have written: drawn when the process starts. */
const mark = (name: string): string => `adp-${name}-${freshText(16, 'hex')}`;
const MARKS: ItemIds = {
  trackId: mark('track'),
  requestId: mark('request'),
  sessionKey: mark('key'),
  nonce: mark('nonce'),
  signature: mark('signature'),
  lang: mark('lang'),
  adName: mark('name'),
};
const SLOTS = Object.keys(MARKS) as (keyof ItemIds)[];
const ANY_MARK = new RegExp(`(${Object.values(MARKS).join('|')})`);

/**
 * Ads as they are answered, but for what one answer alone has (ItemIds). An ad is presented, escaped
 * and encoded once per kind of place, and an answer only writes its ids between the pieces: they are
 * of characters that no escaping changes, wherever in the markup they stand.
 */
export class ItemTexts implements ItemWriter {
  #young = new Map<ServableAd, Variant[]>();
  #old = new Map<ServableAd, Variant[]>();
  #chars = 0;

  write(form: ItemForm, item: { ad: ServableAd; frame: ItemFrame; ids: ItemIds }): ByteText {
    const { ad, frame, ids } = item;
    return this.#variantOf(form, ad, frame).write(ids);
  }

  #variantOf(form: ItemForm, ad: ServableAd, frame: ItemFrame): Variant {
    const known = this.#young.get(ad) ?? this.#keepYoung(ad);
    const variant = known.find((each) => each.isFor(form, frame));
    if (variant !== undefined) return variant;
    const made = new Variant(form, frame, FORMS[form](ad, frame, MARKS));
    known.push(made);
    this.#chars += made.chars;
    return made;
  }

  #keepYoung(ad: ServableAd): Variant[] {
    if (this.#chars > CHARS_MAX / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#chars = 0;
    }
    const known = this.#old.get(ad) ?? [];
    for (const { chars } of known) this.#chars += chars;
    this.#young.set(ad, known);
    return known;
  }
}

/** One form of one ad in one kind of place. */
class Variant {
  readonly #form: ItemForm;
  readonly #frame: ItemFrame;
  readonly #pieces: string[] = [];
  /** Which id stands behind each piece but the last. */
  readonly #slots: (keyof ItemIds)[] = [];
  readonly chars: number;

  constructor(form: ItemForm, frame: ItemFrame, text: string) {
    this.#form = form;
    this.#frame = frame;
    const bytes = byteText(text);
    for (const [index, part] of bytes.split(ANY_MARK).entries()) {
      const slot = SLOTS.find((name) => MARKS[name] === part);
      if (index % 2 === 1 && slot !== undefined) this.#slots.push(slot);
      else this.#pieces.push(part);
    }
    this.chars = bytes.length;
  }

  isFor(form: ItemForm, frame: ItemFrame): boolean {
    const own = this.#frame;
    return (
      form === this.#form &&
      frame.width === own.width &&
      frame.height === own.height &&
      frame.type === own.type &&
      frame.protocol === own.protocol &&
      frame.trackUrl === own.trackUrl &&
      frame.skipAfterSeconds === own.skipAfterSeconds
    );
  }

  write(ids: ItemIds): ByteText {
    const pieces = this.#pieces;
    let text = pieces[0] ?? '';
    for (let index = 0; index < this.#slots.length; index += 1) {
      const slot = this.#slots[index];
      if (slot !== undefined) text += ids[slot];
      text += pieces[index + 1] ?? '';
    }
    return text as ByteText;
  }
}
