import type { Request, RequestHandler, Response, Router } from 'express';
import * as yup from 'yup';
import { actingMember } from '../../db/acting-member.ts';
import { DomainError, type ErrorToken } from '../../domain/errors.ts';
import { type Identity, identityOf } from './auth.ts';
import { announcement, type Deprecation } from './deprecation.ts';
import { envelope } from './envelope.ts';
import { checkBody, objectOf, readAmounts, readBody, readId, readQuery } from './read.ts';
import { asksForProof, type MayCall, requireProof, requireRole } from './roles.ts';
import { readUpload, type UploadRule } from './upload.ts';
import { writeBack } from './write-back.ts';

/**
 * What a route takes, answers and refuses: said once, next to its handler. The same schemas
 * validate the request, type the handler, and become docs/openapi.yaml (api/openapi/openapi.ts).
 */
export interface RouteContract<
  Body extends yup.AnyObjectSchema = yup.AnyObjectSchema,
  Query extends yup.AnyObjectSchema = yup.AnyObjectSchema,
  Answer extends yup.AnySchema = yup.AnySchema,
> {
  /** One line for people, such as `Create a campaign`. */
  summary: string;
  /** Where its rules are: `interface 4.2, 2.3`. */
  rule: string;
  /** Needs no token. */
  open?: true;
  /** Who may beside ADMIN; what silence means, and that it is safe, is in roles.ts. */
  roles?: MayCall;
  /**
   * The second factor is asked for again, or is not; silence means that it is for what ADMIN or FINANCE
   * alone may write (roles.ts).
   */
  stepUp?: boolean;
  /** Also for somebody who has to set up a second factor and has none: the way to one. */
  beforeFactor?: true;
  /** What an account must have done before, or it raises; once the role may, before the request is read. */
  gate?: (req: Request) => Promise<void>;
  /** Every other parameter is refused. Absent: none is taken. */
  query?: Query;
  /** Every other field is refused. Absent on a write: none is taken. */
  body?: Body;
  /** Instead of a body: one file in the multipart field `file`. */
  upload?: UploadRule;
  /** `data` of the envelope; made with the shapes of answers.ts. */
  answer: Answer;
  /** 200 unless it says otherwise; the first one is what the wrapper sends by itself. */
  statuses?: readonly (200 | 201 | 202)[];
  /** Beside what its nature brings (token, path id, body, query, limits). */
  refusals?: readonly ErrorToken[];
  /** Takes If-Match: the handler hands `ifMatch` to the activity, which compares under its lock. */
  updates?: true;
  /**
   * Of an update: the record as its GET answers it, so that a body may bring it whole
   * (api/http/write-back.ts). Raises not_found when it is not the caller's, or answers undefined
   * where the handler says so after it has looked at the body.
   */
  current?: (ask: Ask<unknown, unknown>) => Promise<yup.InferType<Answer> | undefined>;
  /** Going away: announced in headers and in the document (docs/decisions/0006). */
  deprecated?: Deprecation;
  /** Reads If-None-Match: the handler sends 304 itself when the caller has seen all there is. */
  conditional?: true;
  /**
   * Surfaces without the envelope (pixels, pages, the conversion endpoints) name every response by
   * status themselves; `answer` is then not read.
   */
  raw?: Readonly<Record<number, { description: string; type?: string; shape?: yup.AnySchema }>>;
  /** Media types that the handler writes by itself, answering `SENT`; beside the envelope. */
  produces?: readonly string[];
}

/** What a handler reads of a request that fits its contract. */
export interface Ask<Body, Query> {
  /** The path's `:id`. */
  id: number;
  body: Body;
  query: Query;
  /** Versions that the caller has seen; undefined when it did not say. */
  ifMatch: readonly number[] | undefined;
  /** Who asks; raises when the route is open. */
  caller: Identity;
  req: Request;
  res: Response;
}

/** Answered by a handler that has written the response itself. */
export const SENT = Symbol('sent');

const contracts = new WeakMap<object, RouteContract>();
const described = new WeakMap<object, DescribedRoute[]>();

export interface DescribedRoute {
  method: string;
  path: string;
  contract: RouteContract;
}

/** The contract of a handler made by `route`. */
export const contractOf = (handler: object): RouteContract | undefined => contracts.get(handler);

/** Routes that a router serves by a handler of its own (the hot surfaces), for the documents. */
export function describeRoutes(router: Router, routes: DescribedRoute[]): void {
  described.set(router, routes);
}

export const describedRoutes = (router: object): DescribedRoute[] => described.get(router) ?? [];

const NOTHING = yup.object({});
const WRITES = new Set(['POST', 'PUT', 'PATCH']);

/** A handler that runs only for requests that fit its contract, and whose answer has its shape. */
export function route<
  Answer extends yup.AnySchema,
  Body extends yup.AnyObjectSchema = typeof NOTHING,
  Query extends yup.AnyObjectSchema = typeof NOTHING,
>(
  contract: RouteContract<Body, Query, Answer>,
  handle: (
    ask: Ask<yup.InferType<Body>, yup.InferType<Query>>,
  ) => Promise<yup.InferType<Answer> | typeof SENT>,
): RequestHandler {
  const parseFile = contract.upload === undefined ? undefined : readUpload(contract.upload);
  const status = contract.statuses?.[0] ?? 200;
  const bodySchema = contract.body ?? NOTHING;
  const withoutRecord = writeBack(contract.answer, bodySchema);
  const announce =
    contract.deprecated === undefined ? undefined : announcement(contract.deprecated);

  const handler: RequestHandler = async (req, res, next) => {
    // Refusals announce it as well: a client whose calls only fail should learn of it, too.
    announce?.(res);
    if (contract.open !== true) requireCaller(req, contract);
    await contract.gate?.(req);
    // Before anything of the request is judged: what the caller does not own does not exist.
    const id = 'id' in req.params ? readId(req) : 0;
    const query = readQuery(req, contract.query ?? NOTHING) as yup.InferType<Query>;
    if (parseFile !== undefined) await passed(parseFile, req, res);
    const readsBody = WRITES.has(req.method) && parseFile === undefined;
    const ask: Ask<yup.InferType<Body>, yup.InferType<Query>> = {
      id,
      body: {},
      query,
      ifMatch: contract.updates === true ? readIfMatch(req) : undefined,
      get caller() {
        return identityOf(req);
      },
      req,
      res,
    };
    if (readsBody && contract.current === undefined) {
      ask.body = readBody(req, bodySchema);
    } else if (readsBody) {
      const sent = readAmounts(objectOf(req), bodySchema);
      const { body, faults } = withoutRecord(sent, (await contract.current?.(ask)) ?? {});
      ask.body = checkBody(body, bodySchema, faults);
    }
    const data =
      contract.open === true
        ? await handle(ask)
        : await actingMember.run(identityOf(req).memberId, async () => await handle(ask));
    if (data === SENT) return;
    if (res.headersSent) {
      next(new Error(`${req.method} ${req.path} was answered twice`));
      return;
    }
    tag(req, res, { data, isConditional: contract.conditional === true });
    // A handler with several statuses has chosen one; Express begins with 200.
    if (res.statusCode === 200) res.status(status);
    res.json(envelope(data));
  };
  contracts.set(handler, contract);
  return handler;
}

/** Who asks may, by factor and role: nothing of the request is read before. */
function requireCaller(
  req: Request,
  contract: Pick<RouteContract, 'beforeFactor' | 'roles' | 'stepUp'>,
): void {
  const identity = identityOf(req);
  if (identity.mustEnrol && contract.beforeFactor !== true) {
    throw new DomainError('second_factor_missing');
  }
  requireRole(identity, req.method, contract.roles);
  if (asksForProof(identity.realm, req.method, contract)) requireProof(identity);
}

/**
 * A version is of what its owner edits: reviews and delivery move on under it, so whoever has it has
 * not seen all there is. Express would answer 304 by itself, and a browser show the old record.
 */
function tag(req: Request, res: Response, answer: { data: unknown; isConditional: boolean }): void {
  const version = (answer.data as { version?: unknown } | null)?.version;
  if (typeof version === 'number') res.setHeader('ETag', `"${version}"`);
  if (!answer.isConditional) delete req.headers['if-none-match'];
}

/** A middleware as a step of a handler. */
async function passed(middleware: RequestHandler, req: Request, res: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    // One that is asynchronous refuses by its promise, which nobody else looks at.
    const done: unknown = middleware(req, res, (error: unknown) => {
      if (error === undefined || error === null) resolve();
      else reject(error instanceof Error ? error : new Error('a step failed', { cause: error }));
    });
    if (done instanceof Promise) done.catch(reject);
  });
}

/** RFC 9110, 13.1.1: strong comparison, so a weak tag or one that is not ours fits nothing. */
function readIfMatch(req: Request): readonly number[] | undefined {
  const header = req.get('If-Match');
  if (header === undefined || header.trim() === '*') return undefined;
  const tags = header.split(',').map((tag) => /^"(\d{1,15})"$/.exec(tag.trim())?.[1]);
  const versions = tags.filter((tag) => tag !== undefined).map(Number);
  if (versions.length === 0) throw new DomainError('precondition_failed');
  return versions;
}

/** 202: a flow goes on; `Location` is where to ask how it stands. */
export function goesOn(res: Response, location: string): void {
  res.status(202).location(location);
}
