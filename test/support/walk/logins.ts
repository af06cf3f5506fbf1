import { generateSync } from 'otplib';
import { createAuthenticator } from '../passkey.ts';
import { CONSOLE_ORIGIN, type World } from './world.ts';
import { until } from '../until.ts';

type Side = 'advertiser' | 'publisher' | 'admin';
interface Question {
  ticket: string;
  passkey: unknown;
}

/** interface 5.17: sessions, second factors and "this was not me", on a person of their own. */
export async function walkLogins(
  world: World,
  side: Side,
  person: { username: string; email: string; password: string },
): Promise<void> {
  const { walk, platform } = world;
  const at = `/api/${side}/auth`;
  const headers = { Origin: CONSOLE_ORIGIN };
  const { username, password } = person;
  const login = async () =>
    await walk.ask<{ token: string }>(`POST ${at}/login`, { body: { username, password } });
  const { token } = await login();
  const again = { token, headers, body: { password } };
  const begun = await walk.ask<{ id: number; secret: string }>(`POST ${at}/factors/totp`, again);
  // A code counts once, so each step of the walk takes another moment's.
  const code = (ahead: number) =>
    generateSync({ secret: begun.secret, epoch: Math.floor(Date.now() / 1_000) + ahead * 30 });
  await walk.ask(`POST ${at}/factors/:id/confirm`, {
    id: begun.id,
    token,
    body: { code: code(-1), name: 'Phone' },
  });
  const asked = await walk.ask<{ ticket: string; options: unknown }>(
    `POST ${at}/factors/passkey`,
    again,
  );
  const key = createAuthenticator(CONSOLE_ORIGIN);
  await walk.ask(`POST ${at}/factors/passkey/confirm`, {
    token,
    headers,
    body: { ticket: asked.ticket, name: 'Key', response: key.create(asked.options) },
  });
  await walk.ask(`GET ${at}/factors`, { token, headers });
  const question = await walk.ask<Question>(`POST ${at}/step-up/question`, { token, headers });
  await walk.ask(`POST ${at}/step-up`, {
    token,
    headers,
    body: { ticket: question.ticket, passkey: key.get(question.passkey) },
  });
  await walk.ask(`POST ${at}/recovery-codes`, { token });
  const asksForFactor = async (): Promise<Question> => {
    const refused = await fetch(`${platform.baseUrl}${at}/login`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    return ((await refused.json()) as { data: Question }).data;
  };
  const { ticket } = await asksForFactor();
  await walk.ask(`POST ${at}/login/lost-factor`, { headers, body: { ticket } });
  const data = await asksForFactor();
  await walk.ask(`POST ${at}/login/second-factor`, {
    headers,
    body: { ticket: data.ticket, code: code(0) },
  });
  const { items } = await walk.ask<{ items: { id: number; current: boolean }[] }>(
    `GET ${at}/sessions`,
    { token },
  );
  const other = items.find(({ current }) => !current)?.id ?? 0;
  await walk.ask(`DELETE ${at}/sessions/:id`, { id: other, token });
  await walk.ask(`POST ${at}/sessions/end-others`, { token });
  await walk.ask(`PUT ${at}/factors/:id`, { id: begun.id, token, body: { name: 'Old phone' } });
  await walk.ask(`DELETE ${at}/factors/:id`, { id: begun.id, token });
  const letter = await until({ what: 'a letter about a factor', withinMs: 30_000 }, () =>
    world
      .letters()
      .filter((each) => each.includes(person.email))
      .map(
        (each) =>
          /#not-me=\w+\.([\w-]{43})/.exec(each.replace(/=\r?\n/g, '').replace(/=3D/g, '='))?.[1],
      )
      .findLast((found) => found !== undefined),
  );
  await walk.ask(`POST ${at}/not-me`, { body: { token: letter } });
}
