import { image } from '../images.ts';
import { walkEmails } from './emails.ts';
import { walkLogins } from './logins.ts';
import { decide, fileForm, PASSWORD, type World } from './world.ts';
import { until } from '../until.ts';

type Side = 'advertiser' | 'publisher';
interface Session {
  token: string;
  user: { id: number };
}

const SIDES: readonly Side[] = ['advertiser', 'publisher'];
const EMAIL: Record<Side, string> = {
  advertiser: 'ada@rope.example.com',
  publisher: 'bo@gazette.example.com',
};

/** Everybody's account: registration, login, password and profile, in the three realms. */
export async function walkAccounts(world: World): Promise<void> {
  const { walk } = world;
  for (const side of SIDES) await walk.step(`${side} account`, () => openAccount(world, side));
  await walk.step('operators', () => operators(world));
  for (const side of SIDES) {
    await walk.step(`${side} password`, () => passwords(world, side));
    await walk.step(`${side} forgotten password`, () => forgotten(world, side));
    await walk.step(`${side} members`, async () => {
      // Not the walk's own account, which has writes of its own to make within the minute.
      const { token } = await walk.ask<Session>(`POST /api/${side}/auth/login`, {
        body: { username: `forgetful-${EMAIL[side]}`, password: `${PASSWORD}2` },
      });
      await members(world, side, token);
      await ownConsole(world, side, token);
      await reportSchedules(world, side, token);
      await webhooks(world, side, token);
    });
  }
  for (const side of SIDES) {
    await walk.step(`${side} logins`, async () => {
      const email = `keys-${EMAIL[side]}`;
      const body = { email, password: PASSWORD };
      const { user } = await walk.ask<Session & { user: { username: string } }>(
        `POST /api/${side}/auth/register`,
        { body },
      );
      const person = { username: user.username, email, password: PASSWORD };
      await walkLogins(world, side, person);
      await walkEmails(world, side, person);
    });
  }
  await walk.step('operator logins', async () => {
    const username = world.platform.operators.SUPPORT;
    const email = `${username}@example.com`;
    const person = { username, email, password: `${PASSWORD}0` };
    await walkLogins(world, 'admin', person);
    await walkEmails(world, 'admin', person);
  });
  await walk.step('operator saved views', () => ownConsole(world, 'admin', world.tokens.reviewer));
  await walk.step('operator report schedules', () =>
    reportSchedules(world, 'admin', world.tokens.finance),
  );
}

async function openAccount({ walk, tokens, made }: World, side: Side): Promise<void> {
  const session = await walk.ask<Session>(`POST /api/${side}/auth/register`, {
    body: {
      email: EMAIL[side],
      password: PASSWORD,
      username: side === 'advertiser' ? 'harbour_rope' : 'harbour_gazette',
      company_name: side === 'advertiser' ? 'Harbour Rope Ltd' : 'The Harbour Gazette',
    },
  });
  tokens[side] = session.token;
  made[side] = session.user.id;
  await walk.ask(`POST /api/${side}/auth/login`, {
    body: { username: EMAIL[side], password: PASSWORD },
  });
  const { token } = session;
  await walk.ask(`PUT /api/${side}/auth/profile`, {
    token,
    body: {
      contact_name: side === 'advertiser' ? 'Ada Bowline' : 'Bo Lantern',
      mobile: '+49 30 1234567',
      ...(side === 'publisher' ? { site_url: 'https://gazette.example.com' } : {}),
    },
  });
  await walk.ask(`GET /api/${side}/auth/profile`, { token });
}

async function operators({ walk, tokens, platform }: World): Promise<void> {
  const login = async (username: string): Promise<string> => {
    const body = { username, password: PASSWORD };
    return (await walk.ask<Session>('POST /api/admin/auth/login', { body })).token;
  };
  tokens.admin = await login(platform.operators.ADMIN);
  tokens.reviewer = await login(platform.operators.REVIEWER);
  tokens.finance = await login(platform.operators.FINANCE);
  await walk.ask('GET /api/admin/auth/profile', { token: tokens.admin });
  await walk.ask('PUT /api/admin/auth/profile', {
    token: tokens.admin,
    body: { nickname: 'Night watch' },
  });
  const support = await login(platform.operators.SUPPORT);
  await walk.ask('POST /api/admin/auth/password', {
    token: support,
    body: { old_password: PASSWORD, ...newPassword(`${PASSWORD}0`) },
  });
  const reviewer = await login(platform.operators.REVIEWER);
  await walk.ask('POST /api/admin/auth/logout', { token: reviewer });
  tokens.reviewer = await login(platform.operators.REVIEWER);
}

const newPassword = (password: string) => ({
  new_password: password,
  confirm_password: password,
});

/** On accounts of their own: each ends the sessions of its account. */
async function passwords({ walk }: World, side: Side): Promise<void> {
  const register = async (name: string): Promise<string> => {
    const email = `${name}-${EMAIL[side]}`;
    const body = { email, password: PASSWORD };
    return (await walk.ask<Session>(`POST /api/${side}/auth/register`, { body })).token;
  };
  await walk.ask(`POST /api/${side}/auth/password`, {
    token: await register('changing'),
    body: { old_password: PASSWORD, ...newPassword(`${PASSWORD}1`) },
  });
  await walk.ask(`POST /api/${side}/auth/logout`, { token: await register('leaving') });
}

/** The token comes by mail, as to anybody. */
async function forgotten(world: World, side: Side): Promise<void> {
  const email = `forgetful-${EMAIL[side]}`;
  await world.walk.ask(`POST /api/${side}/auth/register`, { body: { email, password: PASSWORD } });
  await byLetter(world, side, email);
}

/** `letters`: how many with a token they have had by then. */
export async function byLetter(
  world: World,
  side: Side | 'admin',
  email: string,
  letters = 1,
): Promise<void> {
  const { walk } = world;
  await walk.ask(`POST /api/${side}/auth/forgot-password`, { body: { email } });
  const token = await letterTo(world, email, letters);
  await walk.ask(`POST /api/${side}/auth/reset-password`, {
    body: { token, ...newPassword(`${PASSWORD}2`) },
  });
}

/** The token of the last letter to somebody, once there are so many. */
export const letterTo = async (world: World, email: string, letters = 1): Promise<string> =>
  await until({ what: `a letter to ${email}`, withinMs: 30_000 }, () => {
    const tokens = world
      .letters()
      .filter((letter) => letter.includes(email))
      .map((letter) => tokenIn(letter))
      .filter((found) => found !== undefined);
    return tokens.length < letters ? undefined : tokens.at(-1);
  });

/** interface 5.7: invited, invited again, come in, given another role, removed. */
async function members(world: World, side: Side, token: string): Promise<void> {
  const { walk, platform } = world;
  const at = `/api/${side}/members`;
  const email = `cleo-${EMAIL[side]}`;
  const { id } = await walk.ask<{ id: number }>(`POST ${at}`, {
    token,
    body: { email, role: 'VIEWER' },
  });
  await letterTo(world, email);
  // Ten minutes between two letters to one address are passed by hand.
  await platform.pool.query(
    `UPDATE members SET invited_at = invited_at - interval '10 minutes' WHERE id = $1`,
    [id],
  );
  await walk.ask(`POST ${at}/:id/resend`, { id, token });
  const invitation = await letterTo(world, email, 2);
  await walk.ask(`POST /api/${side}/auth/invitation`, { body: { token: invitation } });
  await walk.ask(`POST /api/${side}/auth/accept-invitation`, {
    body: { token: invitation, name: 'Cleo Hitch', password: PASSWORD },
  });
  await walk.ask(`PUT ${at}/:id`, { id, token, body: { role: 'EDITOR' } });
  await walk.ask(`GET ${at}`, { token });
  await walk.ask(`POST ${at}/:id/end-sessions`, { id, token });
  await walk.ask(`POST ${at}/:id/suspend`, { id, token });
  await walk.ask(`POST ${at}/:id/restore`, { id, token });
  await walk.ask(`DELETE ${at}/:id`, { id, token });
}

/** Out of the link of a letter, whose lines may be folded (RFC 2045, 6.7). */
function tokenIn(letter: string): string | undefined {
  const text = letter.replace(/=\r?\n/g, '').replace(/=3D/g, '=');
  return /#(?:reset-password|invitation)=\w+\.([\w~-]+)/.exec(text)?.[1];
}

/** interface 5.10: what a person keeps of the console. */
async function ownConsole({ walk }: World, realm: Side | 'admin', token: string): Promise<void> {
  const at = `/api/${realm}/saved-views`;
  const { id } = await walk.ask<{ id: number }>(`POST ${at}`, {
    token,
    body: {
      page: realm === 'admin' ? 'tasks' : 'report',
      name: 'By country',
      state: { group_by: ['date', 'country'], sort: '-clicks' },
      is_default: true,
    },
  });
  await walk.ask(`GET ${at}`, { token });
  await walk.ask(`PUT ${at}/:id`, { id, token, body: { name: 'By country and day' } });
  await walk.ask(`DELETE ${at}/:id`, { id, token });
  await walk.ask(`PUT /api/${realm}/preferences`, {
    token,
    body: { language: 'zh', time_zone: 'Asia/Shanghai', theme: 'dark' },
  });
  await walk.ask(`GET /api/${realm}/preferences`, { token });
}

/** interface 5.24: a report that comes by itself. */
async function reportSchedules(
  { walk }: World,
  realm: Side | 'admin',
  token: string,
): Promise<void> {
  const at = `/api/${realm}/report-schedules`;
  const { id } = await walk.ask<{ id: number }>(`POST ${at}`, {
    token,
    body: {
      name: 'Every Monday',
      group_by: 'date',
      period: 'LAST_7_DAYS',
      timezone: 'Asia/Shanghai',
      frequency: 'WEEKLY',
      weekday: 1,
      hour: 8,
    },
  });
  await walk.ask(`GET ${at}`, { token });
  await walk.ask(`PUT ${at}/:id`, { id, token, body: { weekday: 2 } });
  await walk.ask(`POST ${at}/:id/run`, { id, token });
  await walk.ask(`DELETE ${at}/:id`, { id, token });
}

async function webhooks({ walk }: World, side: Side, token: string): Promise<void> {
  const at = `/api/${side}/webhooks`;
  const { id } = await walk.ask<{ id: number }>(`POST ${at}`, {
    token,
    body: { url: 'https://rope.example.com/hooks/ads', kinds: ['review_decided'] },
  });
  await walk.ask(`GET ${at}`, { token });
  await walk.ask(`GET ${at}/:id`, { id, token });
  await walk.ask(`PUT ${at}/:id`, {
    id,
    token,
    body: { kinds: ['review_decided', 'export_ready'] },
  });
  await walk.ask(`POST ${at}/:id/rotate-secret`, { id, token });
  const test = await walk.ask<{ id: number }>(`POST ${at}/:id/test`, { id, token });
  await until('a test that nobody took', async () => {
    const { items } = await walk.ask<{ items: { status: string }[] }>(`GET ${at}/:id/deliveries`, {
      id,
      token,
    });
    return items.find(({ status }) => status === 'DEAD');
  });
  await walk.ask(`POST ${at}/:id/deliveries/:delivery_id/resend`, {
    id,
    token,
    params: { delivery_id: test.id },
  });
  await walk.ask(`DELETE ${at}/:id`, { id, token });
}

/** interface 5.1: documents, request, and an operator's decision. */
export async function walkIdentity(world: World): Promise<void> {
  for (const side of SIDES) await world.walk.step(`${side} identity`, () => identify(world, side));
}

async function identify(world: World, side: Side): Promise<void> {
  const { walk, tokens } = world;
  const token = tokens[side];
  const page = await image('png', { width: 600, height: 400 });
  const document = await walk.ask<{ id: number }>(`POST /api/${side}/kyc/documents`, {
    token,
    form: fileForm(page, { name: 'passport.png', type: 'image/png' }),
  });
  await walk.ask(`POST /api/${side}/kyc`, {
    token,
    body: {
      entity_type: 'PERSONAL',
      legal_name: side === 'advertiser' ? 'Ada Bowline' : 'Bo Lantern',
      country: 'DE',
      document_number: 'C01X00T47',
      document_ids: [document.id],
    },
  });
  const proof = await decide(world, { type: 'kyc', kind: 'kyc_review' });
  await walk.ask('GET /api/admin/kyc/:id', { id: proof.id, token: tokens.admin });
  await walk.ask('GET /api/admin/kyc/documents/:id', { id: document.id, token: tokens.admin });
  await until(`${side} is identified`, async () => {
    const { kyc_status } = await walk.ask<{ kyc_status: string }>(`GET /api/${side}/kyc`, {
      token,
    });
    return kyc_status === 'approved';
  });
}
