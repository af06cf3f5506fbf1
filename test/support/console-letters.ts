import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Platform } from './platform.ts';

/** The link of the newest letter that has one to set a password with. */
export const resetLink = (platform: Pick<Platform, 'env'>): string | undefined =>
  textOfLetters(platform)
    .match(/http\S+#reset-password=\S+/g)
    ?.at(-1);

/** The link of the newest letter to somebody that confirms an address; another one, once `after` was it. */
export const addressLink = (
  platform: Pick<Platform, 'env'>,
  kind: 'confirm-email' | 'change-email',
  after?: string,
): string | undefined => {
  const newest = textOfLetters(platform)
    .match(new RegExp(`http\\S+#${kind}=\\S+`, 'g'))
    ?.at(-1);
  return newest === after ? undefined : newest;
};

/** The token of the newest invitation to this realm. */
export function invitationToken(
  platform: Pick<Platform, 'env'>,
  realm: 'advertiser' | 'publisher' | 'admin',
): string | undefined {
  const found = textOfLetters(platform).matchAll(new RegExp(`#invitation=${realm}\\.(\\S+)`, 'g'));
  return [...found].at(-1)?.[1];
}

/** All that was sent, oldest first; quoted-printable breaks lines and writes `=` otherwise. */
function textOfLetters({ env }: Pick<Platform, 'env'>): string {
  const folder = env['MAIL_DIR'] ?? '';
  if (!existsSync(folder)) return '';
  return (
    readdirSync(folder)
      .filter((file) => file.endsWith('.eml'))
      // By their numbers: a tenth letter is newer than a ninth.
      .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
      .map((file) => readFileSync(path.join(folder, file), 'utf8'))
      .join('\n')
      .replace(/=\r?\n/g, '')
      .replaceAll('=3D', '=')
  );
}
