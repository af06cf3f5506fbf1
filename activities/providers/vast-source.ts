import { XMLParser, XMLValidator } from 'fast-xml-parser';
import {
  clockSeconds,
  type ThirdParty,
  type VastBeacon,
  type VastMediaFile,
  type VastSource,
} from '../../domain/creative/vast.ts';
import { parseUrl } from '../../domain/url.ts';
import { NOT_OF_XML, SPACE_OR_CONTROL } from '../../domain/control-characters.ts';

/**
 * An advertiser's VAST document, read into what we write anew ourselves: nothing of its text is
 * passed on. It may name no document type and so no entities of its own; size, depth and counts are
 * bounded; every address must be http or https.
 */
export type VastReading =
  | { ok: true; source: VastSource }
  | { ok: false; fault: VastFault; reason: string };

/** `NO_AD`: an ad server's ordinary answer while it has nothing to show. */
export type VastFault = 'NOT_XML' | 'NOT_VAST' | 'NO_AD';

export const VAST_CHARS_MAX = 64 * 1024;
const DEPTH_MAX = 16;
const ADDRESS_CHARS_MAX = 2_048;
const SECONDS_MAX = 120;
const SIDE_MAX = 10_000;
/** Tracking addresses of each kind: a chain of resellers needs a few. */
const BEACONS_MAX = 30;
const MEDIA_FILES_MAX = 20;
const PLAYED_TYPES: ReadonlySet<string> = new Set(['video/mp4', 'video/webm']);
const EVENT_NAME = /^[A-Za-z]{3,30}$/;
const OFFSET = /^(\d{2}:[0-5]\d:[0-5]\d(\.\d{3})?|\d{1,3}%)$/;

/** An element: its text, its attributes (`@name`), its children by name. */
type Node = Readonly<Record<string, unknown>>;

/** Carries the reason out of the walk. */
class Unusable extends Error {
  readonly fault: VastFault;
  constructor(reason: string, fault: VastFault = 'NOT_VAST') {
    super(reason);
    this.fault = fault;
  }
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  alwaysCreateTextNode: true,
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: DEPTH_MAX,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** Never throws on a document, whatever it holds; the reason is a sentence for its author. */
export function readVast(xml: string): VastReading {
  if (xml.length > VAST_CHARS_MAX)
    return unusable(`must have at most ${VAST_CHARS_MAX} characters`, 'NOT_VAST');
  if (NOT_OF_XML.test(xml)) return unusable('must be readable text');
  if (/<!(DOCTYPE|ENTITY)/i.test(xml))
    return unusable('must not declare a document type', 'NOT_VAST');
  if (XMLValidator.validate(xml) !== true) return unusable('must be well-formed XML');
  let document: Node;
  try {
    document = parser.parse(xml) as Node;
  } catch (error) {
    // The parser refuses what the validator lets pass: nesting beyond the limit.
    return unusable(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return { ok: true, source: sourceOf(document) };
  } catch (error) {
    if (error instanceof Unusable) return unusable(error.message, error.fault);
    throw error;
  }
}

const unusable = (reason: string, fault: VastFault = 'NOT_XML'): VastReading => ({
  ok: false,
  fault,
  reason,
});

const ONE_AD = 'must hold exactly one Ad';

function sourceOf(document: Node): VastSource {
  const ads = childrenOf(only(document, 'VAST', 'the document'), 'Ad');
  const [ad] = ads;
  if (ad === undefined) throw new Unusable(ONE_AD, 'NO_AD');
  if (ads.length > 1) throw new Unusable(ONE_AD);
  const [inLine] = childrenOf(ad, 'InLine');
  if (inLine !== undefined) return inLineOf(inLine);
  return wrapperOf(only(ad, 'Wrapper', 'its Ad'));
}

function inLineOf(inLine: Node): VastSource {
  const [linear] = linearsOf(inLine);
  if (linear === undefined) throw new Unusable('must hold a Linear creative');
  const durationSeconds = clockSeconds(textOf(only(linear, 'Duration', 'its Linear')));
  if (durationSeconds === null || durationSeconds <= 0 || durationSeconds > SECONDS_MAX) {
    throw new Unusable(`must have a Duration of HH:MM:SS, at most ${SECONDS_MAX} seconds`);
  }
  const files = childrenOf(only(linear, 'MediaFiles', 'its Linear'), 'MediaFile');
  if (files.length > MEDIA_FILES_MAX) throw new Unusable('names too many media files');
  const mediaFiles = files.flatMap(mediaFileOf);
  if (mediaFiles.length === 0) {
    throw new Unusable('must name a progressive media file of type video/mp4 or video/webm');
  }
  return { kind: 'inline', durationSeconds, mediaFiles, thirdParty: thirdPartyOf(inLine) };
}

function wrapperOf(wrapper: Node): VastSource {
  const tagUrl = addressOf(only(wrapper, 'VASTAdTagURI', 'its Wrapper'), 'VASTAdTagURI');
  return { kind: 'wrapper', tagUrl, thirdParty: thirdPartyOf(wrapper) };
}

const linearsOf = (kind: Node): Node[] =>
  childrenOf(kind, 'Creatives')
    .flatMap((creatives) => childrenOf(creatives, 'Creative'))
    .flatMap((creative) => childrenOf(creative, 'Linear'));

/** Scripts (VPAID, SIMID) and streams are left out: what we serve is a file that plays by itself. */
function mediaFileOf(file: Node): VastMediaFile[] {
  const mime = attributeOf(file, 'type').toLowerCase();
  const isPlain =
    attributeOf(file, 'delivery') === 'progressive' &&
    attributeOf(file, 'apiFramework') === '' &&
    PLAYED_TYPES.has(mime);
  if (!isPlain) return [];
  const width = wholeOf(file, 'width');
  const height = wholeOf(file, 'height');
  if (width === null || height === null || width > SIDE_MAX || height > SIDE_MAX) {
    throw new Unusable('must say the width and height of each media file');
  }
  const codec = attributeOf(file, 'codec');
  return [
    {
      url: addressOf(file, 'MediaFile'),
      mime,
      width,
      height,
      bitrateKbps: wholeOf(file, 'bitrate'),
      codec: /^[\w.,+ -]{1,60}$/.test(codec) ? codec : null,
    },
  ];
}

function thirdPartyOf(kind: Node): ThirdParty {
  const linears = linearsOf(kind);
  const addresses = {
    impressions: addressesOf(childrenOf(kind, 'Impression'), 'Impression'),
    errors: addressesOf(childrenOf(kind, 'Error'), 'Error'),
    beacons: linears
      .flatMap((linear) => childrenOf(linear, 'TrackingEvents'))
      .flatMap((events) => childrenOf(events, 'Tracking'))
      .flatMap(beaconOf),
    clickTracking: addressesOf(
      linears
        .flatMap((linear) => childrenOf(linear, 'VideoClicks'))
        .flatMap((clicks) => childrenOf(clicks, 'ClickTracking')),
      'ClickTracking',
    ),
  };
  if (Object.values(addresses).some((list) => list.length > BEACONS_MAX)) {
    throw new Unusable(`may name at most ${BEACONS_MAX} addresses of each kind`);
  }
  return addresses;
}

function beaconOf(node: Node): VastBeacon[] {
  const event = attributeOf(node, 'event');
  const offset = attributeOf(node, 'offset');
  if (!EVENT_NAME.test(event) || textOf(node) === '') return [];
  if (offset !== '' && !OFFSET.test(offset)) throw new Unusable('has an offset that is no time');
  return [{ event, url: addressOf(node, 'Tracking'), offset: offset === '' ? null : offset }];
}

/** Empty ones are common in the wild and mean nothing. */
const addressesOf = (nodes: readonly Node[], what: string): string[] =>
  nodes.filter((node) => textOf(node) !== '').map((node) => addressOf(node, what));

/** Macros of players (`[ERRORCODE]`) stay as they stand. */
function addressOf(node: Node, what: string): string {
  const text = textOf(node);
  const url = parseUrl(text);
  const isWeb =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    text.length <= ADDRESS_CHARS_MAX &&
    !SPACE_OR_CONTROL.test(text);
  if (!isWeb) throw new Unusable(`has a ${what} that is no http or https address`);
  return text;
}

function childrenOf(node: Node, name: string): Node[] {
  const children = Object.hasOwn(node, name) ? node[name] : undefined;
  if (!Array.isArray(children)) return [];
  return (children as unknown[]).filter(
    (child): child is Node => typeof child === 'object' && child !== null,
  );
}

function only(node: Node, name: string, where: string): Node {
  const [child] = childrenOf(node, name);
  if (child === undefined) throw new Unusable(`must hold ${name} in ${where}`);
  return child;
}

const textOf = (node: Node): string => {
  const text = node['#text'];
  return typeof text === 'string' ? text.trim() : '';
};

const attributeOf = (node: Node, name: string): string => {
  const value = Object.hasOwn(node, `@${name}`) ? node[`@${name}`] : undefined;
  return typeof value === 'string' ? value.trim() : '';
};

const wholeOf = (node: Node, name: string): number | null => {
  const text = attributeOf(node, name);
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : null;
};
