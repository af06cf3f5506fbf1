import { until } from '../until.ts';
import type { World } from './world.ts';

type Side = 'advertiser' | 'publisher' | 'admin';

/** interface 5.18: the letter again, another address, the old one kept, another one after all. */
export async function walkEmails(
  world: World,
  side: Side,
  person: { username: string; email: string; password: string },
): Promise<void> {
  const { walk, platform } = world;
  const at = `/api/${side}/auth`;
  const { username, email, password } = person;
  const { token } = await walk.ask<{ token: string }>(`POST ${at}/login`, {
    body: { username, password },
  });
  // The minute between two letters to one address is passed by hand.
  await platform.pool.query(
    `UPDATE email_confirmations SET created_at = created_at - interval '1 minute' WHERE email = $1`,
    [email],
  );
  await walk.ask(`POST ${at}/email-confirmation`, { token });
  const ask = async (next: string) =>
    await walk.ask(`POST ${at}/email-change`, { token, body: { email: next, password } });
  await ask(`kept-${email}`);
  await walk.ask(`DELETE ${at}/email-change`, { token });
  await ask(`moved-${email}`);
  const link = await until({ what: `a letter to moved-${email}`, withinMs: 30_000 }, () =>
    world
      .letters()
      .map((letter) => letter.replace(/=\r?\n/g, '').replace(/=3D/g, '='))
      .filter((letter) => letter.includes(`To: moved-${email}`))
      .map((letter) => /#change-email=\w+\.([\w-]{43})/.exec(letter)?.[1])
      .findLast((found) => found !== undefined),
  );
  await walk.ask(`POST ${at}/confirm-email`, { body: { token: link, password } });
}
