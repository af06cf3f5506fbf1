import { ERRORS, type ErrorToken } from '../../domain/errors.ts';
import type { PersonRole } from '../../domain/member.ts';
import { type Components, type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import type { MountedRoute } from './route-list.ts';
import type { Realm } from '../http/auth.ts';
import { ALL_ROLES, rolesThatMay } from '../http/roles.ts';
import type { RouteContract } from '../http/route.ts';

/** A request and its answer as they happened; keyed by `METHOD /path` as mounted. */
export interface Example {
  status: number;
  /** Media type of the answer; empty when it has no body. */
  type: string;
  request?: unknown;
  /** The whole body: an envelope, a flat answer, or text. Null where bytes say nothing to a reader. */
  answer: unknown;
}

export type ContractedRoute = MountedRoute & { contract: RouteContract };

/** What is around one operation while it is written. */
export interface Around {
  components: Components;
  /** Refusals that many operations share; they become `components.responses`. */
  refusals: Components;
  example: Example | undefined;
}

/** `/api/admin/tasks` is of the realm `admin`; surfaces are of none. */
export const realmOf = (path: string): Realm | undefined =>
  /^\/api\/(advertiser|publisher|admin)\//.exec(path)?.[1] as Realm | undefined;

/** Every role that may call it; undefined where nobody needs a token. */
export function rolesOf({
  method,
  path,
  contract,
}: ContractedRoute): readonly PersonRole[] | undefined {
  const realm = realmOf(path);
  if (realm === undefined || contract.open === true) return undefined;
  return rolesThatMay(realm, method, contract.roles);
}

/** interface 2.1: the envelope of every refusal; hints are fields of `data` beside these. */
export const REFUSAL: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'integer' },
    message: { type: 'string' },
    data: {
      type: 'object',
      properties: {
        error: { type: 'string' },
        errors: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              field: { type: 'string' },
              code: { type: 'string' },
              message: { type: 'string' },
            },
            required: ['field', 'code', 'message'],
            additionalProperties: false,
          },
        },
        request_id: { type: 'string' },
      },
      required: ['error', 'request_id'],
    },
    timestamp: { type: 'integer' },
  },
  required: ['code', 'message', 'data', 'timestamp'],
  additionalProperties: false,
};

/** Every response that can come, by status. */
export function responsesOf(mounted: ContractedRoute, around: Around): JsonSchema {
  const { contract } = mounted;
  const { components, example } = around;
  if (contract.raw !== undefined) return rawResponses(contract.raw, around);
  const data = jsonSchemaOf(contract.answer, components);
  const contentOf = (status: number): JsonSchema => ({
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          code: { const: 0 },
          message: { type: 'string' },
          data,
          timestamp: { type: 'integer' },
        },
        required: ['code', 'message', 'data', 'timestamp'],
        additionalProperties: false,
      },
      ...shownAs('application/json', status, example),
    },
    ...Object.fromEntries(
      (contract.produces ?? []).map((type) => [type, shownAs(type, status, example)]),
    ),
  });
  const successes = (contract.statuses ?? [200]).map((status) => [
    String(status),
    { description: DESCRIPTIONS[status], content: contentOf(status) },
  ]);
  const unchanged = contract.conditional === true ? [['304', { description: UNCHANGED }]] : [];
  return Object.fromEntries([...successes, ...unchanged, ...refusalsByStatus(mounted, around)]);
}

const shownAs = (type: string, status: number, example: Example | undefined): JsonSchema =>
  example?.status !== status || example.type !== type || example.answer === null
    ? {}
    : { example: example.answer };

const DESCRIPTIONS = {
  200: 'Done.',
  201: 'Created.',
  202: 'A flow goes on; `Location` says where to ask how it stands.',
} as const;

const UNCHANGED = 'What `If-None-Match` names is still all there is.';

function refusalsByStatus(mounted: ContractedRoute, { refusals }: Around): [string, JsonSchema][] {
  const byStatus = new Map<number, ErrorToken[]>();
  for (const token of refusalsOf(mounted)) {
    const status = Math.floor(ERRORS[token][0] / 100);
    byStatus.set(status, [...(byStatus.get(status) ?? []), token]);
  }
  return [...byStatus].map(([status, tokens]) => {
    const name = tokens.join('.');
    refusals.set(name, {
      description: tokens.map((token) => `\`${token}\`: ${ERRORS[token][1]}`).join(' '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    });
    return [status.toString(), { $ref: `#/components/responses/${name}` }];
  });
}

/** Responses of a surface that has no envelope: exactly those that it names. */
const rawResponses = (
  raw: NonNullable<RouteContract['raw']>,
  { components, example }: Around,
): JsonSchema =>
  Object.fromEntries(
    Object.entries(raw).map(([status, { description, type, shape }]) => [
      status,
      {
        description,
        ...(type === undefined
          ? {}
          : {
              content: {
                [type]: {
                  ...(shape === undefined ? {} : { schema: jsonSchemaOf(shape, components) }),
                  ...shownAs(type, Number(status), example),
                },
              },
            }),
      },
    ]),
  );

/** A repeat with the same Idempotency-Key is answered as the first was; logins are behind no key. */
export const isIdempotent = ({ method, path, contract }: ContractedRoute): boolean =>
  method === 'POST' &&
  contract.open !== true &&
  contract.upload === undefined &&
  !/^\/api\/\w+\/auth\//.test(path);

const isForEveryone = (mounted: ContractedRoute): boolean => {
  const [realm, roles] = [realmOf(mounted.path), rolesOf(mounted)];
  return realm === undefined || roles === undefined || roles.length === ALL_ROLES[realm].length;
};

/** Every refusal that can happen to a route: by its nature, and those it names itself. */
export function refusalsOf(mounted: ContractedRoute): ErrorToken[] {
  const { method, path, contract } = mounted;
  const realm = realmOf(path);
  const guarded = contract.open !== true && realm !== undefined;
  const writes = ['POST', 'PUT', 'PATCH'].includes(method);
  const tokens: ErrorToken[] = [
    'malformed_request',
    ...(guarded
      ? (['token_missing', 'token_expired', 'wrong_realm', 'rate_limited'] as const)
      : []),
    ...(guarded && realm !== 'admin' ? (['account_suspended'] as const) : []),
    ...(isForEveryone(mounted) ? [] : (['forbidden_role'] as const)),
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(guarded && isIdempotent(mounted)
      ? (['state_conflict', 'idempotency_mismatch'] as const)
      : []),
    ...(contract.updates === true ? (['precondition_failed'] as const) : []),
    ...(writes ? (['too_large', 'unsupported_media'] as const) : []),
    'validation_failed',
    ...(contract.refusals ?? []),
    'internal',
    'unavailable',
  ];
  return [...new Set(tokens)].toSorted((a, b) => ERRORS[a][0] - ERRORS[b][0]);
}
