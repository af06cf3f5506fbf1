import { XMLParser, XMLValidator } from 'fast-xml-parser';

/**
 * The structure of VAST 2.0 and 4.2 as tables of our own: which children an element may have, in
 * which order, how often, and which attributes it needs. Strict players and validators refuse a
 * document whose children come in another order.
 */
type Times = '1' | '?' | '*' | '+';
interface Rule {
  children?: readonly [name: string, times: Times][];
  /** Of several kinds exactly one. */
  oneOf?: readonly string[];
  attributes?: { required?: readonly string[]; allowed?: readonly string[] };
  text?: 'address' | 'clock' | 'text';
}
type Rules = Readonly<Record<string, Rule>>;

const EVENTS_2 =
  'creativeView start midpoint firstQuartile thirdQuartile complete mute unmute pause rewind resume fullscreen expand collapse acceptInvitation close';
const EVENTS_4 =
  'mute unmute pause resume rewind skip playerExpand playerCollapse loaded start firstQuartile midpoint thirdQuartile complete progress closeLinear creativeView acceptInvitation otherAdInteraction interactiveStart';

const SHARED: Rules = {
  AdSystem: { attributes: { allowed: ['version'] }, text: 'text' },
  AdTitle: { text: 'text' },
  Description: { text: 'text' },
  Advertiser: { text: 'text' },
  AdServingId: { text: 'text' },
  Error: { text: 'address' },
  Impression: { attributes: { allowed: ['id'] }, text: 'address' },
  VASTAdTagURI: { text: 'address' },
  Creatives: { children: [['Creative', '+']] },
  Duration: { text: 'clock' },
  TrackingEvents: { children: [['Tracking', '+']] },
  MediaFiles: { children: [['MediaFile', '+']] },
  ClickThrough: { attributes: { allowed: ['id'] }, text: 'address' },
  ClickTracking: { attributes: { allowed: ['id'] }, text: 'address' },
  CompanionClickThrough: { text: 'address' },
  StaticResource: { attributes: { required: ['creativeType'] }, text: 'address' },
  Companion: {
    children: [
      ['StaticResource', '1'],
      ['CompanionClickThrough', '?'],
    ],
    attributes: { required: ['width', 'height'], allowed: ['id'] },
  },
};

const RULES: Readonly<Record<'2.0' | '4.2', Rules>> = {
  '2.0': {
    ...SHARED,
    VAST: { children: [['Ad', '*']], attributes: { required: ['version'] } },
    Ad: { oneOf: ['InLine', 'Wrapper'], attributes: { required: ['id'], allowed: ['sequence'] } },
    InLine: {
      children: [
        ['AdSystem', '1'],
        ['AdTitle', '1'],
        ['Description', '?'],
        ['Survey', '?'],
        ['Error', '?'],
        ['Impression', '+'],
        ['Creatives', '1'],
        ['Extensions', '?'],
      ],
    },
    Wrapper: {
      children: [
        ['AdSystem', '1'],
        ['VASTAdTagURI', '1'],
        ['Error', '?'],
        ['Impression', '+'],
        ['Creatives', '?'],
      ],
    },
    Creative: {
      oneOf: ['Linear', 'CompanionAds'],
      attributes: { allowed: ['id', 'sequence', 'AdID'] },
    },
    CompanionAds: { children: [['Companion', '+']] },
    Linear: {
      children: [
        ['Duration', '?'],
        ['TrackingEvents', '?'],
        ['AdParameters', '?'],
        ['VideoClicks', '?'],
        ['MediaFiles', '?'],
      ],
    },
    VideoClicks: {
      children: [
        ['ClickThrough', '?'],
        ['ClickTracking', '*'],
      ],
    },
    Tracking: { attributes: { required: ['event'] }, text: 'address' },
    MediaFile: {
      attributes: {
        required: ['delivery', 'type', 'width', 'height'],
        allowed: ['bitrate', 'scalable', 'maintainAspectRatio', 'id'],
      },
      text: 'address',
    },
  },
  '4.2': {
    ...SHARED,
    VAST: {
      children: [
        ['Ad', '*'],
        ['Error', '*'],
      ],
      attributes: { required: ['version', 'xmlns'] },
    },
    Ad: {
      oneOf: ['InLine', 'Wrapper'],
      attributes: { required: ['id'], allowed: ['sequence', 'adType'] },
    },
    InLine: {
      children: [
        ['AdSystem', '1'],
        ['Error', '*'],
        ['Extensions', '?'],
        ['Impression', '+'],
        ['Pricing', '?'],
        ['ViewableImpression', '?'],
        ['AdServingId', '1'],
        ['AdTitle', '1'],
        ['AdVerifications', '?'],
        ['Advertiser', '?'],
        ['Category', '*'],
        ['Creatives', '1'],
        ['Description', '?'],
      ],
    },
    Wrapper: {
      children: [
        ['AdSystem', '1'],
        ['Error', '*'],
        ['Extensions', '?'],
        ['Impression', '+'],
        ['Pricing', '?'],
        ['ViewableImpression', '?'],
        ['AdVerifications', '?'],
        ['BlockedAdCategories', '*'],
        ['Creatives', '?'],
        ['VASTAdTagURI', '1'],
      ],
      attributes: {
        allowed: ['followAdditionalWrappers', 'allowMultipleAds', 'fallbackOnNoAd'],
      },
    },
    ViewableImpression: {
      children: [
        ['Viewable', '*'],
        ['NotViewable', '*'],
        ['ViewUndetermined', '*'],
      ],
      attributes: { allowed: ['id'] },
    },
    Viewable: { text: 'address' },
    NotViewable: { text: 'address' },
    ViewUndetermined: { text: 'address' },
    Creative: {
      children: [
        ['CompanionAds', '?'],
        ['Linear', '?'],
        ['UniversalAdId', '*'],
      ],
      attributes: { allowed: ['id', 'sequence', 'adId'] },
    },
    UniversalAdId: { attributes: { required: ['idRegistry'] }, text: 'text' },
    CompanionAds: { children: [['Companion', '+']], attributes: { allowed: ['required'] } },
    Linear: {
      children: [
        ['Icons', '?'],
        ['TrackingEvents', '?'],
        ['AdParameters', '?'],
        ['Duration', '?'],
        ['MediaFiles', '?'],
        ['VideoClicks', '?'],
      ],
      attributes: { allowed: ['skipoffset'] },
    },
    VideoClicks: {
      children: [
        ['ClickTracking', '*'],
        ['ClickThrough', '?'],
      ],
    },
    Tracking: { attributes: { required: ['event'], allowed: ['offset'] }, text: 'address' },
    MediaFile: {
      attributes: {
        required: ['delivery', 'type', 'width', 'height'],
        allowed: ['codec', 'bitrate', 'scalable', 'maintainAspectRatio', 'id'],
      },
      text: 'address',
    },
  },
};

/** An element of the parser's ordered form. */
export interface VastNode {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: VastNode[];
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  trimValues: true,
  ignoreDeclaration: true,
});

export function readNodes(xml: string): VastNode[] {
  return nodesOf(parser.parse(xml) as Record<string, unknown>[]);
}

function nodesOf(list: Record<string, unknown>[]): VastNode[] {
  return list.flatMap((item) => {
    const [name] = Object.keys(item).filter((key) => key !== ':@');
    if (name === undefined || name === '#text') return [];
    const inner = item[name] as Record<string, unknown>[];
    const texts = inner.flatMap((part) => ('#text' in part ? [String(part['#text'])] : []));
    return [
      {
        name,
        attributes: (item[':@'] ?? {}) as Record<string, string>,
        text: texts.join(''),
        children: nodesOf(inner),
      },
    ];
  });
}

/** What a strict reader would refuse, as sentences; empty when the document is sound. */
export function vastFaults(xml: string): string[] {
  const wellFormed = XMLValidator.validate(xml);
  if (wellFormed !== true) return [`not well-formed: ${wellFormed.err.msg}`];
  const roots = readNodes(xml);
  const [root] = roots;
  if (root === undefined || roots.length > 1 || root.name !== 'VAST') return ['no VAST root'];
  const version = root.attributes['version'];
  if (version !== '2.0' && version !== '4.2') return [`version ${version}`];
  if (version === '4.2' && root.attributes['xmlns'] !== 'http://www.iab.com/VAST') {
    return ['4.2 without its namespace'];
  }
  return faultsOf(root, RULES[version], 'VAST');
}

function faultsOf(node: VastNode, rules: Rules, at: string): string[] {
  const rule = rules[node.name];
  if (rule === undefined) return [`${at}: unknown element`];
  return [
    ...attributeFaults(node, rule, at),
    ...orderFaults(node, rule, at),
    ...textFaults(node, rule, at),
    ...eventFaults(node, rules, at),
    ...inLineFaults(node, rules, at),
    ...node.children.flatMap((child) => faultsOf(child, rules, `${at}/${child.name}`)),
  ];
}

function attributeFaults(node: VastNode, rule: Rule, at: string): string[] {
  const { required = [], allowed = [] } = rule.attributes ?? {};
  const known = new Set([...required, ...allowed]);
  return [
    ...required
      .filter((name) => node.attributes[name] === undefined)
      .map((name) => `${at}: lacks ${name}`),
    ...Object.keys(node.attributes)
      .filter((name) => !known.has(name))
      .map((name) => `${at}: may not have ${name}`),
  ];
}

function orderFaults(node: VastNode, rule: Rule, at: string): string[] {
  const names = node.children.map((child) => child.name);
  if (rule.oneOf !== undefined) {
    const fits = names.length === 1 && rule.oneOf.includes(names[0] ?? '');
    return fits ? [] : [`${at}: holds ${names.join(', ')}`];
  }
  let left = names;
  for (const [name, times] of rule.children ?? []) {
    const end = left.findIndex((each) => each !== name);
    const count = end < 0 ? left.length : end;
    if ((times === '1' || times === '+') && count === 0) return [`${at}: lacks ${name} here`];
    if ((times === '1' || times === '?') && count > 1) return [`${at}: ${count} times ${name}`];
    left = left.slice(count);
  }
  return left.length === 0 ? [] : [`${at}: ${left[0] ?? ''} out of place`];
}

function textFaults(node: VastNode, rule: Rule, at: string): string[] {
  if (rule.text === undefined) return node.text === '' ? [] : [`${at}: has text`];
  if (rule.text === 'clock') {
    return /^\d{2}:\d{2}:\d{2}(\.\d{3})?$/.test(node.text) ? [] : [`${at}: ${node.text}`];
  }
  if (rule.text === 'address') {
    return /^https?:\/\/[^\s<"]+$/.test(node.text) ? [] : [`${at}: no address: ${node.text}`];
  }
  return node.text === '' ? [`${at}: is empty`] : [];
}

function eventFaults(node: VastNode, rules: Rules, at: string): string[] {
  if (node.name !== 'Tracking') return [];
  const known = (rules === RULES['2.0'] ? EVENTS_2 : EVENTS_4).split(' ');
  const { event = '', offset } = node.attributes;
  if (!known.includes(event)) return [`${at}: unknown event ${event}`];
  return (event === 'progress') === (offset !== undefined) ? [] : [`${at}: offset of ${event}`];
}

/** What an InLine must have beyond what its elements may have. */
function inLineFaults(node: VastNode, rules: Rules, at: string): string[] {
  if (node.name !== 'InLine') return [];
  const creatives = find(node, 'Creative');
  const linears = find(node, 'Linear');
  return [
    ...linears
      .filter((each) => find(each, 'Duration').length !== 1 || find(each, 'MediaFile').length === 0)
      .map(() => `${at}: a Linear without Duration or MediaFile`),
    ...creatives
      .filter((each) => rules === RULES['4.2'] && find(each, 'UniversalAdId').length === 0)
      .map(() => `${at}: a Creative without UniversalAdId`),
  ];
}

/** All elements of this name below. */
export const find = (node: VastNode, name: string): VastNode[] =>
  node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...find(child, name)]);
