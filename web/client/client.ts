import type { Routes } from './routes.ts';

/** A client of the API whose routes, parameters and answers are those of docs/openapi.yaml. */
export type RouteName = keyof Routes;
export type Answer<Name extends RouteName> = Routes[Name]['answer'];
export type Ask<Name extends RouteName> = Omit<Routes[Name], 'answer'>;

/** May be left out where nothing has to be given. */
export type AskOf<Name extends RouteName> =
  object extends Ask<Name> ? [ask?: Asked<Name>] : [ask: Asked<Name>];
type Asked<Name extends RouteName> = Ask<Name> & { signal?: AbortSignal };

export interface Client {
  /** Answers the envelope's data. Raises ApiError. */
  call<Name extends RouteName>(route: Name, ...ask: AskOf<Name>): Promise<Answer<Name>>;
  /** The same, with its version; `data` is undefined when it is still `If-None-Match`'s. */
  look<Name extends RouteName>(route: Name, ...ask: AskOf<Name>): Promise<Looked<Name>>;
  /** The bytes of a route that sends a file, and what it is to be called. */
  file<Name extends RouteName>(
    route: Name,
    ...ask: AskOf<Name>
  ): Promise<{ blob: Blob; name: string | undefined }>;
}

export interface Looked<Name extends RouteName> {
  data: Answer<Name> | undefined;
  etag: string | null;
  /** What was answered to the same Idempotency-Key before. */
  isReplayed: boolean;
}

export interface FieldError {
  field: string;
  code: string;
  message: string;
}

/** A refusal of the API, in its own words. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The refusal's name, such as `insufficient_balance`; `unreachable` when nothing answered. */
  readonly token: string;
  /** Wrong fields, all at once. */
  readonly errors: readonly FieldError[];
  /** What the refusal says beside: who holds it, where to go, the version that is newer. */
  readonly hints: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly route: string;
  /** Whose session it was. */
  readonly realm: 'advertiser' | 'publisher' | 'admin' | undefined;

  constructor(route: string, status: number, refusal: Refusal = {}) {
    super(refusal.message ?? `HTTP ${status}`);
    const {
      error,
      errors,
      request_id: requestId,
      retry_after: retryAfter,
      ...hints
    } = refusal.data ?? {};
    this.route = route;
    this.status = status;
    this.token = typeof error === 'string' ? error : 'unreachable';
    this.errors = Array.isArray(errors) ? (errors as FieldError[]) : [];
    this.hints = hints;
    this.requestId = typeof requestId === 'string' ? requestId : undefined;
    this.retryAfterSeconds = typeof retryAfter === 'number' ? retryAfter : undefined;
    this.realm = /\/api\/(advertiser|publisher|admin)\//.exec(route)?.[1] as ApiError['realm'];
  }
}

interface Refusal {
  message?: string;
  data?: Record<string, unknown>;
}

interface Given {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | null | undefined>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

/** `base` is the origin of the API; empty for the page's own. `token` is asked before each call. */
export function createClient(options: { base?: string; token: () => string | null }): Client {
  const send = async (route: string, ask: unknown): Promise<Response> => {
    const { path = {}, query = {}, headers = {}, body, signal } = (ask ?? {}) as Given;
    const [method = '', template = ''] = route.split(' ');
    const token = options.token();
    const isForm = body instanceof FormData;
    const response = await fetch(`${options.base ?? ''}${addressOf(template, path, query)}`, {
      method,
      headers: {
        ...stated(headers),
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }).catch(unreached(route));
    if (response.ok || response.status === 304) return response;
    throw new ApiError(
      route,
      response.status,
      refusalIn(await response.text().catch(unreached(route))),
    );
  };
  const look = async <Name extends RouteName>(route: Name, ...[ask]: AskOf<Name>) => {
    const response = await send(route, ask);
    const etag = response.headers.get('ETag');
    const isReplayed = response.headers.has('Idempotent-Replayed');
    if (response.status === 304) return { data: undefined, etag, isReplayed };
    // It may break off in the middle, or be a page of whoever stands between.
    const envelope = (await response.json().catch(unreached(route))) as { data: Answer<Name> };
    return { data: envelope.data, etag, isReplayed };
  };
  return {
    look,
    call: async (route, ...ask) => (await look(route, ...ask)).data as Answer<typeof route>,
    file: async (route, ...[ask]) => {
      const response = await send(route, ask);
      const disposition = response.headers.get('Content-Disposition') ?? '';
      const blob = await response.blob().catch(unreached(route));
      return { blob, name: /filename="([^"]+)"/.exec(disposition)?.[1] };
    },
  };
}

/** None of a proxy in front of the API, whatever it says and under whatever type. */
function refusalIn(text: string): Refusal | undefined {
  try {
    return (JSON.parse(text) as Refusal | null) ?? undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether it was heard there is not known; who has stopped asking is told no more. */
const unreached =
  (route: string) =>
  (error: unknown): never => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(route, 0, { message: 'The platform cannot be reached.' });
  };

function addressOf(
  template: string,
  path: NonNullable<Given['path']>,
  query: NonNullable<Given['query']>,
): string {
  const address = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(path[name] ?? '')),
  );
  const search = new URLSearchParams(stated(query)).toString();
  return search === '' ? address : `${address}?${search}`;
}

/** What the caller left open is not sent. */
const stated = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
