import type { Routes } from './routes.ts';

/** A client of the API whose routes, parameters and answers are those of docs/openapi.yaml. */
export type RouteName = keyof Routes;
export type Answer<Name extends RouteName> = Routes[Name]['answer'];
type Ask<Name extends RouteName> = Omit<Routes[Name], 'answer'>;

/** May be left out where nothing has to be given. */
type AskOf<Name extends RouteName> =
  object extends Ask<Name> ? [ask?: Ask<Name>] : [ask: Ask<Name>];

export interface Client {
  /** Answers the envelope's data. Raises ApiError. */
  call<Name extends RouteName>(route: Name, ...ask: AskOf<Name>): Promise<Answer<Name>>;
}

/** A refusal of the API, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Given {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | null | undefined>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
}

/** `base` is the origin of the API; empty for the page's own. `token` is asked before each call. */
export function createClient(options: { base?: string; token: () => string | null }): Client {
  return {
    call: async <Name extends RouteName>(route: Name, ...[ask]: AskOf<Name>) => {
      const { path = {}, query = {}, headers = {}, body } = (ask ?? {}) as Given;
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
      });
      const envelope = (await response.json()) as { message: string; data: Answer<Name> };
      if (!response.ok) throw new ApiError(response.status, envelope.message);
      return envelope.data;
    },
  };
}

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
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
