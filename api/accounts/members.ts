import { type Request, Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { findOwner, listMembers } from '../../db/queries/members.ts';
import { notFound } from '../../domain/errors.ts';
import { MEMBER_STATUSES } from '../../domain/lifecycle/member.ts';
import { MEMBER_ROLES } from '../../domain/member.ts';
import { LANGUAGES } from '../../domain/person.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Identity } from '../http/auth.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route } from '../http/route.ts';
import {
  memberShape,
  membersShape,
  presentMember,
  presentOwner,
  removedShape,
} from '../present/member.ts';
import { email } from './account-fields.ts';

const role = () => yup.string().oneOf(MEMBER_ROLES).required();
const inviteBody = yup.object({
  email: email().required(),
  role: role(),
  language: yup.string().oneOf(LANGUAGES),
});
const roleBody = yup.object({ role: role() });
const listQuery = yup.object({ ...pageFields, status: yup.string().oneOf(MEMBER_STATUSES) });

const about = { rule: 'interface 5.7', roles: [] } as const;

/** `/members` of the advertisers' and the publishers' realm. */
export function memberRoutes(deps: ConsoleDeps, realm: 'advertiser' | 'publisher'): Router {
  const router = Router();
  addList(router, deps);
  addInvitations(router, deps, realm);
  addChanges(router, deps);
  addShutouts(router, deps);
  return router;
}

const by = ({ id, memberId }: Identity, req: Request) => ({
  accountId: id,
  byMemberId: memberId,
  requestId: requestIdOf(req),
});

async function show({ db }: ConsoleDeps, key: { id: number; accountId: number }) {
  const { items } = await listMembers(runner(db), { ...key, limit: 1, offset: 0 });
  const [member] = items;
  if (member === undefined) throw notFound();
  return presentMember(member);
}

function addList(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/',
    route(
      {
        ...about,
        summary: 'List who works in your account, newest first; those removed by their status',
        query: listQuery,
        answer: membersShape,
      },
      async ({ query, caller }) => {
        const sql = runner(deps.db);
        const page = pageOf(query);
        const owner = await findOwner(sql, caller.id);
        if (owner === undefined) throw new Error(`account ${caller.id} has no owner`);
        const { items, total } = await listMembers(sql, {
          accountId: caller.id,
          status: query.status,
          limit: page.limit,
          offset: page.offset,
        });
        return {
          ...presentPage(items.map(presentMember), total, page),
          owner: presentOwner(owner),
        };
      },
    ),
  );
}

function addInvitations(
  router: Router,
  deps: ConsoleDeps,
  realm: 'advertiser' | 'publisher',
): void {
  router.post(
    '/',
    route(
      {
        ...about,
        summary: 'Invite somebody by e-mail; they choose name and password',
        body: inviteBody,
        answer: memberShape,
        statuses: [201],
        refusals: ['already_claimed'],
      },
      async ({ body, caller, req }) => {
        const { memberId } = await deps.activities.inviteMember({
          ...by(caller, req),
          kind: realm === 'advertiser' ? 'ADVERTISER' : 'PUBLISHER',
          email: body.email,
          role: body.role,
          language: body.language,
        });
        return await show(deps, { id: memberId, accountId: caller.id });
      },
    ),
  );

  router.post(
    '/:id/resend',
    route(
      {
        ...about,
        summary: 'Send an invitation again; the letter before opens nothing any more',
        answer: memberShape,
      },
      async ({ id, caller, req }) => {
        await deps.activities.resendInvitation({ ...by(caller, req), memberId: id });
        return await show(deps, { id, accountId: caller.id });
      },
    ),
  );
}

function addChanges(router: Router, deps: ConsoleDeps): void {
  router.put(
    '/:id',
    route(
      {
        ...about,
        summary: "Change somebody's role, but your own",
        body: roleBody,
        answer: memberShape,
        updates: true,
        current: async ({ id, caller }) => await show(deps, { id, accountId: caller.id }),
        refusals: ['state_conflict'],
      },
      async ({ id, body, caller, ifMatch, req }) => {
        const command = { ...by(caller, req), memberId: id, ifMatch };
        await deps.activities.changeMemberRole({ ...command, role: body.role });
        return await show(deps, { id, accountId: caller.id });
      },
    ),
  );

  router.delete(
    '/:id',
    route(
      {
        ...about,
        summary: 'Remove somebody, or take an invitation back; tokens and letters end at once',
        answer: removedShape,
        updates: true,
        refusals: ['state_conflict'],
      },
      async ({ id, caller, ifMatch, req }) => {
        await deps.activities.removeMember({ ...by(caller, req), memberId: id, ifMatch });
        return { id, status: 'REMOVED' as const };
      },
    ),
  );
}

/** None of them takes back what somebody did: that stays theirs, and seen. */
function addShutouts(router: Router, deps: ConsoleDeps): void {
  for (const [path, summary, activity] of [
    ['end-sessions', "End every session of somebody's; they may log in again", 'endMemberSessions'],
    ['suspend', 'Shut somebody out until they are restored; their sessions end', 'suspendMember'],
    ['restore', 'Let somebody in again who was suspended', 'restoreMember'],
  ] as const) {
    router.post(
      `/:id/${path}`,
      route(
        { ...about, summary, answer: memberShape, refusals: ['state_conflict'] },
        async ({ id, caller, req }) => {
          await deps.activities[activity]({ ...by(caller, req), memberId: id });
          return await show(deps, { id, accountId: caller.id });
        },
      ),
    );
  }
}
