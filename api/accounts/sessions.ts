import type { Router } from 'express';
import { runner } from '../../db/postgres.ts';
import { kindOfRealm, personOf } from '../../db/queries/accounts.ts';
import { listSessions } from '../../db/queries/sessions.ts';
import * as yup from 'yup';
import type { ConsoleDeps } from '../deps.ts';
import type { Realm } from '../http/auth.ts';
import { text } from '../http/fields.ts';
import { accountRateLimit } from '../http/rate-limit.ts';
import { requestIdOf } from '../http/request-id.ts';
import {
  flag,
  idOf,
  listOf,
  nothing,
  record,
  time,
  timeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { endedShape } from '../present/session.ts';
import { personKeyOfCaller } from './person-key.ts';

const rule = 'interface 5.17';
const own = { rule, roles: 'everyone', beforeFactor: true, stepUp: false } as const;

const sessionShape = record(
  {
    id: idOf(),
    /** `CHROME · WINDOWS`. */
    device: words(),
    /** /24 or /48: roughly where. */
    network: words(),
    country: wordsOrNull(),
    created_at: time(),
    last_seen_at: time(),
    expires_at: time(),
    /** When a second factor was last shown in it. */
    proven_at: timeOrNull(),
    /** The one that asks. */
    current: flag(),
  },
  'LoginSession',
);

const notMeBody = yup.object({ token: text(200).required().meta({ kind: 'secret' }) });

/** Where one is logged in, and the ways out: none of them is ever refused by a limit. */
export function addSessions(router: Router, deps: ConsoleDeps, realm: Realm): void {
  const mine = deps.auth.require(realm);
  router.get(
    '/sessions',
    mine,
    accountRateLimit(deps),
    route(
      {
        ...own,
        summary: 'List where you are logged in',
        answer: record({ items: listOf(sessionShape) }),
      },
      async ({ caller }) => {
        const person = personOf(personKeyOfCaller(caller));
        const open = await listSessions(runner(deps.db), person, deps.clock());
        return {
          items: open.map((each) => ({
            id: each.id,
            device: each.device,
            network: each.network,
            country: each.country,
            created_at: each.createdAt.toISOString(),
            last_seen_at: each.lastSeenAt.toISOString(),
            expires_at: each.expiresAt.toISOString(),
            proven_at: each.provenAt?.toISOString() ?? null,
            current: each.tokenId === caller.tokenId,
          })),
        };
      },
    ),
  );
  router.delete(
    '/sessions/:id',
    mine,
    route(
      { ...own, summary: 'End one of your sessions', answer: nothing() },
      async ({ id: sessionId, caller }) => {
        await deps.activities.endSession({ person: personKeyOfCaller(caller), sessionId });
        return {};
      },
    ),
  );
  router.post(
    '/sessions/end-others',
    mine,
    route(
      {
        ...own,
        summary: 'End every session of yours but this one',
        answer: endedShape,
      },
      async ({ caller: { tokenId, ...caller } }) => ({
        ended: await deps.activities.endOtherSessions({
          person: personKeyOfCaller(caller),
          tokenId,
        }),
      }),
    ),
  );
  router.post(
    '/not-me',
    route(
      {
        summary:
          '"This was not me", by the address of a letter: ends every session, sends a letter',
        rule,
        open: true,
        body: notMeBody,
        answer: nothing(),
      },
      async ({ body, req }) => {
        const kind = kindOfRealm(realm);
        await deps.activities.disown({ kind, token: body.token, requestId: requestIdOf(req) });
        return {};
      },
    ),
  );
}
