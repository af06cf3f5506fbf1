import {
  QueryCache,
  QueryClient,
  queryOptions,
  type QueryKey,
  useMutation,
  useQueryClient,
  type UseMutationResult,
} from '@tanstack/react-query';
import { useRef } from 'react';
import {
  type Answer,
  ApiError,
  type AskOf,
  type Client,
  createClient,
  type RouteName,
} from '../client/client.ts';
import { understood } from './messages.ts';
import { expire, inSession, type Realm, session, whenBegun } from './session.ts';
import { stepUp } from './step-up.ts';
import { IN_TIME, inTime } from './waiting.ts';

/**
 * The public API as pages ask it. A route's name is its key: what is read under
 * `GET /api/advertiser/campaigns` is made stale by naming just that.
 */
export type ReadName = Extract<RouteName, `GET ${string}`>;
export type WriteName = Exclude<RouteName, ReadName>;

/** Logging in and out begin and end a session; all else goes on in one that was begun again. */
const IS_DOOR = /^POST \/api\/\w+\/auth\//;

type Given = [route: RouteName, ask?: { signal?: AbortSignal }];

function resumed(realm: Realm): Client {
  const client = createClient({ token: () => session.token(realm) });
  const going = async <Result>(route: RouteName, run: () => Promise<Result>): Promise<Result> => {
    try {
      return IS_DOOR.test(route) ? await run() : await inSession(realm, run, isEnd);
    } catch (error) {
      throw await understood(error);
    }
  };
  const timed = async <Result>(
    [route, ask = {}]: Given,
    run: (given: Given) => Promise<Result>,
    isFile = false,
  ): Promise<Result> =>
    await going(route, async () => {
      const attempt = async (signal: AbortSignal) => await run([route, { ...ask, signal }]);
      return await inTime(route, ask, attempt, isFile);
    });
  return {
    call: async (...given) =>
      await timed(
        given as unknown as Given,
        async (each) => await client.call(...(each as unknown as typeof given)),
      ),
    look: async (...given) =>
      await timed(
        given as unknown as Given,
        async (each) => await client.look(...(each as unknown as typeof given)),
      ),
    file: async (...given) =>
      await timed(
        given as unknown as Given,
        async (each) => await client.file(...(each as unknown as typeof given)),
        true,
      ),
  };
}

/** A call that wants the second factor again asks for it and is made once more (interface 5.17). */
function proving(realm: Realm): Client {
  const client = resumed(realm);
  const again = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.token === 'second_factor_missing') stepUp.missing(realm);
      if (error.token !== 'step_up_required' || !(await stepUp.ask(realm))) throw error;
      return await run();
    }
  };
  return {
    call: async (...given) => await again(async () => await client.call(...given)),
    look: async (...given) => await again(async () => await client.look(...given)),
    file: async (...given) => await again(async () => await client.file(...given)),
  };
}

const clients: Record<Realm, Client> = {
  advertiser: proving('advertiser'),
  publisher: proving('publisher'),
  admin: proving('admin'),
};

/** The client of the realm that a route belongs to. */
export const api = (route: RouteName): Client => clients[realmOf(route)];

const realmOf = (route: RouteName): Realm => /\/api\/(\w+)\//.exec(route)?.[1] as Realm;

const FRESH_MS = 15_000;
const TRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    // A browser that is offline says so at once, instead of waiting without a word.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: FRESH_MS,
      // A refusal stays one, and who has waited for a minute is told; only a server that is away is asked again.
      retry: (failures, error) =>
        failures < TRIES &&
        !(error instanceof ApiError && (isRefusal(error) || error.token === IN_TIME)),
    },
  },
  queryCache: new QueryCache({ onError: expireOn401 }),
});

whenBegun((realm) => {
  queryClient.removeQueries({
    predicate: ({ queryKey: [route] }) => String(route).includes(`/api/${realm}/`),
  });
});

const CONFLICT = 409;

const isRefusal = ({ status }: ApiError): boolean => status >= 400 && status < 500;

function isEnd(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 401;
}

function expireOn401(error: Error): void {
  if (isEnd(error) && error.realm !== undefined) expire(error.realm);
}

/** The one way to read: a page's loader and the page itself share what it gives. */
export const read = <Name extends ReadName>(route: Name, ...[ask]: AskOf<Name>) =>
  queryOptions({
    queryKey: [route, ask ?? {}] as QueryKey,
    queryFn: async ({ signal }): Promise<Answer<Name>> =>
      await api(route).call(route, ...([{ ...ask, signal }] as unknown as AskOf<Name>)),
  });

/** A route that changes something, and which reads are stale afterwards. */
export interface Write<Name extends WriteName> {
  route: Name;
  stale: readonly ReadName[];
  /** Of an order of money (`order-keys.ts`): the key under which it was sent, also by a page before this one. */
  keyOf?: (order: string) => Promise<OrderKey>;
}

export const write = <Name extends WriteName>(
  route: Name,
  stale: readonly ReadName[],
): Write<Name> => ({ route, stale });

type AskFor<Name extends WriteName> = NonNullable<AskOf<Name>[0]>;

/** Of an order that has no answer yet. */
export interface OrderKey {
  key: string;
  /** First sent then, by this page or by one before it. */
  at: number;
  /** It is answered. */
  forget: () => void;
  /** What is answered now came of what a page before had sent. */
  tell: () => void;
}

interface Sent extends OrderKey {
  text: string;
}

const NOTHING_SENT: Sent = {
  text: '',
  key: '',
  at: Number.POSITIVE_INFINITY,
  forget: () => undefined,
  tell: () => undefined,
};

/** Whose order it is, and of what. */
const orderOf = (route: RouteName, text: string): string =>
  [session.subject(realmOf(route)), route, text].join(' ');

/** An answer that stands: with its key it would be given again, though what was in the way may be gone. */
const isAnswer = (error: Error): boolean =>
  error instanceof ApiError && isRefusal(error) && error.retryAfterSeconds === undefined;

/**
 * Sends a change once: the same ask sent again before it was answered has the same Idempotency-Key,
 * so a double click or a lost answer does nothing twice. Ends when what it made stale is read anew.
 */
export function useWrite<Name extends WriteName>({
  route,
  stale,
  keyOf,
}: Write<Name>): UseMutationResult<Answer<Name>, Error, AskFor<Name>> {
  const queries = useQueryClient();
  const sent = useRef(NOTHING_SENT);
  const began = useRef(Date.now());
  const forget = (): void => {
    sent.current.forget();
    sent.current = NOTHING_SENT;
  };
  const reread = async (): Promise<unknown> =>
    await Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] })));
  return useMutation({
    mutationFn: async (ask: AskFor<Name>) => {
      const text = JSON.stringify(ask);
      if (sent.current.text !== text) {
        sent.current =
          keyOf === undefined
            ? { ...NOTHING_SENT, text, key: crypto.randomUUID() }
            : { text, ...(await keyOf(orderOf(route, text))) };
      }
      const { key, at } = sent.current;
      const headers = {
        ...(ask as { headers?: object }).headers,
        ...(route.startsWith('POST') ? { 'Idempotency-Key': key } : {}),
      };
      const given = [{ ...ask, headers }] as unknown as AskOf<Name>;
      const { data, isReplayed } = await api(route).look(route, ...given);
      if (isReplayed && at < began.current) sent.current.tell();
      return data as Answer<Name>;
    },
    onError: (error) => {
      if (isAnswer(error)) forget();
      // Somebody was faster, so what this page shows is old; its refusal does not wait for what is so now.
      if (error instanceof ApiError && error.status === CONFLICT) void reread();
      expireOn401(error);
    },
    onSuccess: async () => {
      forget();
      await reread();
    },
  });
}

/** Saves what a route sends as a file, under the name that it is sent with. */
export async function saveFile<Name extends ReadName>(
  route: Name,
  ...ask: AskOf<Name>
): Promise<void> {
  const { blob, name = 'file' } = await api(route).file(route, ...ask);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
