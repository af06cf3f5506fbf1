import { randomBytes } from 'node:crypto';
import type { OperatorRole } from '../../domain/operator.ts';
import { ApiClient, dataOf, idOf } from './call.ts';
import { invitationToken } from './console-letters.ts';
import type { Account } from './console.ts';
import { lettersOf } from './login-letters.ts';
import type { Platform } from './platform.ts';
import type { Stand } from './stand.ts';
import { until } from './until.ts';

/** Of whoever joins by `joinAsOperator`. */
export const NEWCOMERS_PASSWORD = 'correct-horse-battery-9';

export interface Newcomer {
  id: number;
  username: string;
  email: string;
  /** Of the session that the invitation opened. */
  token: string;
}

/** Invited by an ADMIN, and come in by the letter as its reader does (interface 5.19). */
export async function joinAsOperator(
  stand: Stand,
  by: number,
  role: OperatorRole,
): Promise<Newcomer> {
  const username = `new_${randomBytes(5).toString('hex')}`;
  const email = `${username}@ops.example.com`;
  const invited = await stand
    .as('admin', by)
    .post('/operator-invitations', { username, email, role });
  const [letter] = await lettersOf(stand, 'invitation_id', idOf(invited));
  const body = { token: letter?.token, name: `New ${username}`, password: NEWCOMERS_PASSWORD };
  const joined = await stand.bearing('admin').post('/auth/accept-invitation', body);
  const { token, user } = dataOf(joined) as { token: string; user: { id: number } };
  return { id: user.id, username, email, token };
}

/** The same on a platform that runs by itself. Answers their id as well. */
export async function joinPlatform(
  platform: Platform,
  maker: Account,
  { username, role }: { username: string; role: OperatorRole },
): Promise<Account & { id: number }> {
  const token = await invitedTo(platform, async () => {
    const email = `${username}@ops.example.com`;
    await maker.api.must('POST', '/operator-invitations', { username, email, role });
  });
  const api = new ApiClient(maker.api.prefix);
  const body = { token, name: `New ${username}`, password: NEWCOMERS_PASSWORD };
  const joined = await api.must<{ token: string; user: { id: number } }>(
    'POST',
    '/auth/accept-invitation',
    body,
  );
  api.token = joined.token;
  return { id: joined.user.id, api, username, password: NEWCOMERS_PASSWORD };
}

/** What the letter holds that is written by this. */
export async function invitedTo(
  platform: Platform,
  inviting: () => Promise<void>,
): Promise<string> {
  const before = invitationToken(platform, 'admin');
  await inviting();
  return await until({ what: 'the letter is there', withinMs: 60_000 }, () => {
    const token = invitationToken(platform, 'admin');
    return token === before ? undefined : token;
  });
}
