import type * as yup from 'yup';
import { type MountedRoute, mountedRoutes } from '../../../api/openapi/route-list.ts';
import { rolesOf } from '../../../api/openapi/openapi-responses.ts';
import type { RouteContract } from '../../../api/http/route.ts';
import type { PersonRole } from '../../../domain/member.ts';
import { SETTING_KEYS } from '../../../domain/settings.ts';
import type { TestApp } from '../app.ts';
import { type Good, goodRequests } from './good.ts';
import { field, type Field, type Kind, type QueryKind } from './values.ts';

/** What is known of a route beside its address; a mounted route without an entry fails the suite. */
export interface RouteSpec {
  /** `METHOD /path` as it is mounted. */
  route: string;
  /** `:id` is one of these. */
  noun?: Noun;
  /** JSON body. Absent: the route takes none, and nothing in one is read. */
  body?: Record<string, Field>;
  /** Of an update that takes its whole record: every field of it. */
  shows?: readonly string[];
  /** One file in multipart/form-data. */
  upload?: true;
  /** Query of a list or report; every other parameter is refused. */
  query?: Record<string, QueryKind>;
  /** Fields of body or query that name a thing of the caller's. */
  refs?: Record<string, Noun>;
  /** Every name of an id but `:id`, as its place says: `:test_id`, `?campaign_id`, `bank_info.bank_card_id`. */
  ids: readonly string[];
  /** Every role that may; absent where no token is needed. */
  roles?: readonly PersonRole[];
  /** Needs no token. */
  open?: true;
}

export const NOUNS = [
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'media',
  'tracker',
  'conversion',
  'deposit',
  'site',
  'zone',
  'operation',
  'export',
  'advertiserOperation',
  'kyc',
  'kycDocument',
  'advertiserKycDocument',
  'task',
  'withdrawal',
  'bankCard',
  'member',
  'advertiserMember',
  'savedView',
  'advertiserSavedView',
  'operatorSavedView',
  'reportSchedule',
  'advertiserReportSchedule',
  'operatorReportSchedule',
  'webhook',
  'advertiserWebhook',
  'advertiser',
  'publisher',
  'receipt',
  'receiptEvidence',
  'bankStatement',
  'reversal',
  'balanceRefund',
  'factor',
  'advertiserFactor',
  'operatorFactor',
  'session',
  'advertiserSession',
  'operatorSession',
  'approval',
  'notification',
  'advertiserNotification',
  'trackerTest',
  'postback',
  'delivery',
  'advertiserDelivery',
  'operator',
  'operatorInvitation',
  'factorRecovery',
] as const;
export type Noun = (typeof NOUNS)[number];
export type Objects = Record<Noun, number>;

/** `/api/<realm>/<this>/:id` is one of these; named with its realm where realms differ. */
const NOUN_OF: Readonly<Record<string, Noun>> = {
  campaigns: 'campaign',
  adgroups: 'adgroup',
  ads: 'ad',
  creatives: 'creative',
  media: 'media',
  trackers: 'tracker',
  conversions: 'conversion',
  deposits: 'deposit',
  sites: 'site',
  zones: 'zone',
  operations: 'operation',
  exports: 'export',
  'advertiser/operations': 'advertiserOperation',
  kyc: 'kyc',
  documents: 'kycDocument',
  tasks: 'task',
  withdrawals: 'withdrawal',
  'bank-cards': 'bankCard',
  members: 'member',
  'advertiser/members': 'advertiserMember',
  'report-schedules': 'reportSchedule',
  'advertiser/report-schedules': 'advertiserReportSchedule',
  'admin/report-schedules': 'operatorReportSchedule',
  'saved-views': 'savedView',
  'advertiser/saved-views': 'advertiserSavedView',
  'admin/saved-views': 'operatorSavedView',
  webhooks: 'webhook',
  'advertiser/webhooks': 'advertiserWebhook',
  advertisers: 'advertiser',
  publishers: 'publisher',
  receipts: 'receipt',
  'receipt-evidence': 'receiptEvidence',
  'bank-statements': 'bankStatement',
  reversals: 'reversal',
  'balance-refunds': 'balanceRefund',
  factors: 'factor',
  'advertiser/factors': 'advertiserFactor',
  'admin/factors': 'operatorFactor',
  sessions: 'session',
  'advertiser/sessions': 'advertiserSession',
  'admin/sessions': 'operatorSession',
  approvals: 'approval',
  operators: 'operator',
  'operator-invitations': 'operatorInvitation',
  'factor-recoveries': 'factorRecovery',
};

/** Fields of body and query that name a thing of the caller's. */
const REFERENCES: Readonly<Record<string, Noun>> = {
  campaign_id: 'campaign',
  adgroup_id: 'adgroup',
  ad_id: 'ad',
  creative_id: 'creative',
  tracker_id: 'tracker',
  image_media_id: 'media',
  image_media_id_2: 'media',
  video_media_id: 'media',
  icon_media_id: 'media',
  html5_media_id: 'media',
  source_media_id: 'media',
  site_id: 'site',
  zone_id: 'zone',
};

/** Names of ids that are no tenant's: of the platform's own lists, or of the caller who is asking. */
const NOBODYS: Readonly<Record<string, string>> = {
  ad_format_id: 'a list of the platform',
  campaign_option_id: 'a list of the platform',
  industry_id: 'a list of the platform',
  size_id: 'a list of the platform',
  tax_id: 'a number of an authority',
  zone_type_id: 'a list of the platform',
};

/** What such a name is of, in this route; null of nobody's, undefined where nobody has said so. */
export function nounOfId(route: string, name: string): Noun | null | undefined {
  const [, , realm = '', first = ''] = (route.split(' ')[1] ?? '').split('/');
  const own = (publishers: Noun, advertisers: Noun): Noun =>
    realm === 'publisher' ? publishers : advertisers;
  const bare = name.replace(/^[:?]/, '');
  const many: Readonly<Record<string, Noun>> = {
    ids:
      first === 'notifications'
        ? own('notification', 'advertiserNotification')
        : (NOUN_OF[first] ?? 'campaign'),
    document_ids: own('kycDocument', 'advertiserKycDocument'),
    subject_id: own('site', 'creative'),
    'bank_info.bank_card_id': 'bankCard',
    'filter.campaign_id': 'campaign',
    'filter.adgroup_id': 'adgroup',
    'filter.ad_id': 'ad',
    'filter.site_id': 'site',
    'filter.zone_id': 'zone',
    test_id: 'trackerTest',
    postback_id: 'postback',
    delivery_id: own('delivery', 'advertiserDelivery'),
  };
  return Object.hasOwn(NOBODYS, bare) ? null : (many[bare] ?? REFERENCES[bare]);
}

/** Their reading is itself written down, so the storm, which leaves nothing behind, only tries to. */
export const AUDITED_READS = [
  'GET /api/admin/kyc/:id',
  'GET /api/admin/kyc/documents/:id',
  'GET /api/admin/receipt-evidence/:id',
  'GET /api/admin/documents/:id/file',
  'GET /api/admin/withdrawals/:id/payout-file',
  'GET /api/admin/withdrawals/:id',
  'GET /api/admin/bank-statements/:id/lines',
];

/** Without token and envelope rules of their own; stormed as open surfaces. */
export const OPEN_ROUTES = [
  'GET /health/live',
  'GET /health/ready',
  'GET /media/:folder/:file',
  'GET /media/:folder/:bundle/:file',
  'GET /media/signed/:seal/:folder/:file',
  'GET /media/signed/:seal/:folder/:bundle/:file',
  'GET /sdk.js',
  'GET /prebid-adapter.js',
  'GET /sellers.json',
  'GET /document-keys.json',
  'GET /ads.txt',
  'POST /payments/:method/notices',
  'GET /openapi.json',
  'GET /ad/request',
  'POST /ad/request',
  'OPTIONS /ad/request',
  'GET /ad/request/:zone_id',
  'GET /ad/render/:zone_id',
  'GET /ad/render/ad/:track_id',
  'GET /ad/render/vast/:zone_id',
  'GET /ad/reward/token',
  'POST /ad/reward/token',
  'GET /ad/reward/verify',
  'POST /ad/reward/verify',
  'GET /ad/reward/keys',
  'GET /ad/reward/ssv-callback',
  'GET /track/impression/:track_id',
  'GET /track/view/:track_id',
  'GET /track/video/:track_id',
  'GET /track/vast-error/:track_id',
  'GET /track/click/:track_id',
  'POST /track/click-verify',
  'OPTIONS /track/click-verify',
  'GET /track/conversion.gif',
  'GET /track/conversion',
  'POST /track/conversion',
  'GET /track/postback',
  'POST /track/postback',
  'POST /codec/decode',
];

/**
 * Every route of the three realms as its contract tells it, with good values that are the given
 * tenant's own (good.ts).
 */
export function catalogue({ app, deps }: Pick<TestApp, 'app' | 'deps'>, own: Objects): RouteSpec[] {
  const good = goodRequests(own, deps.clock());
  return mountedRoutes(app)
    .filter(({ path, contract }) => path.startsWith('/api/') && contract !== undefined)
    .map((route) => specOf(route, good));
}

function specOf(
  { method, path, contract }: MountedRoute,
  good: Readonly<Record<string, Good>>,
): RouteSpec {
  if (contract === undefined) throw new Error(`${path} has no contract`);
  const route = `${method} ${path}`;
  const [, , realm = '', first = ''] = path.split('/');
  const noun = nounOf(path);
  const writes = method === 'POST' || method === 'PUT';
  // An update takes what its create takes, as far as it takes it.
  const values = good[route] ?? good[`POST /api/${realm}/${first}`] ?? {};
  const body = writes && contract.upload === undefined ? bodyOf(contract, values) : undefined;
  const query = contract.query === undefined ? undefined : queryOf(contract.query);
  const roles = rolesOf({ method, path, contract });
  const referring = realm === 'admin' ? [] : namesIn(contract, body, query);
  return {
    route,
    ...(noun === undefined ? {} : { noun }),
    ...(body === undefined ? {} : { body }),
    ...(contract.current === undefined ? {} : { shows: fieldsOf(contract.answer) }),
    ...(contract.upload === undefined ? {} : { upload: true as const }),
    ...(query === undefined ? {} : { query }),
    refs: Object.fromEntries(referring.map((name) => [name, REFERENCES[name] ?? 'campaign'])),
    ids: idsOf(path, contract),
    ...(roles === undefined ? {} : { roles }),
    ...(contract.open === true ? { open: true as const } : {}),
  };
}

const fieldsOf = (answer: yup.AnySchema): string[] =>
  Object.keys((answer.describe() as yup.SchemaObjectDescription).fields);

/** What the `:id` of a path is; undefined when it has none. */
export function nounOf(path: string): Noun | undefined {
  if (!path.includes(':id')) return undefined;
  const [, , realm = ''] = path.split('/');
  const part = nounPart(path);
  return NOUN_OF[`${realm}/${part}`] ?? NOUN_OF[part];
}

/** The last part before `:id`. */
const nounPart = (path: string): string => /([a-z-]+)\/:id/.exec(path)?.[1] ?? '';

const ID_NAME = /(^|_)ids?(_\d+)?$/;

function idsOf(path: string, contract: RouteContract): string[] {
  const inPath = [...path.matchAll(/:(\w+)/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'id');
  return [
    ...inPath.map((name) => `:${name}`),
    ...idNamesIn(contract.query?.describe()).map((name) => `?${name}`),
    ...idNamesIn(contract.body?.describe()),
  ];
}

type Described = yup.SchemaFieldDescription | readonly yup.SchemaFieldDescription[] | undefined;

/** At any depth: of the parts of an object, and of what a list is of. */
function idNamesIn(described: Described, name = ''): string[] {
  if (described === undefined || Array.isArray(described)) return [];
  const { fields = {}, innerType } = described as {
    fields?: Record<string, yup.SchemaFieldDescription>;
    innerType?: Described;
  };
  const within = Object.entries(fields).flatMap(([part, each]) =>
    idNamesIn(each, name === '' ? part : `${name}.${part}`),
  );
  if (within.length > 0) return within;
  const inner = idNamesIn(innerType, name);
  return inner.length === 0 && ID_NAME.test(name) ? [name] : inner;
}

/** A list filtered by a foreign thing is empty; a report of one is refused. */
const namesIn = (
  contract: RouteContract,
  body: Record<string, Field> | undefined,
  query: Record<string, QueryKind> | undefined,
): string[] =>
  [
    ...Object.keys(body ?? {}),
    ...(contract.refusals?.includes('not_found') === true ? Object.keys(query ?? {}) : []),
  ].filter((name) => Object.hasOwn(REFERENCES, name));

function bodyOf(contract: RouteContract, { body = {}, rules = {} }: Good): Record<string, Field> {
  const fields = contract.body?.describe().fields ?? {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) => {
      const described = each as yup.SchemaDescription;
      const kind = rules[name]?.kind ?? kindOf(name, described);
      return [
        name,
        field(kind, body[name], {
          nullable: described.nullable,
          required: !described.optional,
          takes: [
            ...(takesLong(described) ? (['long'] as const) : []),
            ...(rules[name]?.takes ?? []),
          ],
          apart: body[name] === undefined,
        }),
      ];
    }),
  );
}

function kindOf(name: string, described: yup.SchemaDescription): Kind {
  const kind = described.meta?.kind;
  if (kind !== undefined && kind !== 'token') return kind;
  const inner = (described as { innerType?: yup.SchemaDescription }).innerType?.type;
  switch (described.type) {
    case 'boolean':
      return 'flag';
    case 'number':
      return hasTest(described, 'integer') ? 'whole' : 'amount';
    case 'array':
      return inner === 'number' ? 'numbers' : inner === 'object' ? 'list' : 'words';
    case 'object':
    case 'mixed':
      return 'part';
    case 'string':
      return isWord(described) ? 'word' : 'text';
    default:
      throw new Error(`${name} is of no known type: ${described.type}`);
  }
}

const hasTest = ({ tests }: yup.SchemaDescription, name: string): boolean =>
  tests.some((test) => test.name === name);

/** One of some words, or of a pattern that plain text does not fit. */
const isWord = ({ oneOf, tests }: yup.SchemaDescription): boolean =>
  oneOf.length > 0 ||
  tests.some(({ params }) => {
    const regex: unknown = params?.['regex'];
    return regex instanceof RegExp && !regex.test('nothing-like-it');
  });

const takesLong = ({ type, tests }: yup.SchemaDescription): boolean => {
  const max: unknown = tests.find(({ name }) => name === 'max')?.params?.['max'];
  return type === 'string' && typeof max === 'number' && max >= 30_000;
};

const queryOf = (query: yup.AnyObjectSchema): Record<string, QueryKind> =>
  Object.fromEntries(
    Object.entries(query.describe().fields).map(([name, each]) => [
      name,
      queryKindOf(name, each as yup.SchemaDescription),
    ]),
  );

function queryKindOf(name: string, described: yup.SchemaDescription): QueryKind {
  if (name === 'page' && described.type === 'number') return 'page';
  if (name === 'page_size') return 'pageSize';
  if (name === 'wait') return 'wait';
  if (described.type === 'number') return 'id';
  const kind = described.meta?.kind;
  if (kind === 'day' || kind === 'word' || kind === 'token') return kind;
  return isWord(described) ? 'word' : 'text';
}

/** A setting that takes a number, for `:key`. */
export const SETTING_KEY = SETTING_KEYS.find((key) => key.startsWith('deposit.')) ?? '';
