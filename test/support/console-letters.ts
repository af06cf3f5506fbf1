import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Platform } from './platform.ts';

/** The link of the newest letter that has one to set a password with; quoted-printable breaks it. */
export function resetLink({ env }: Pick<Platform, 'env'>): string | undefined {
  const folder = env['MAIL_DIR'] ?? '';
  if (!existsSync(folder)) return undefined;
  const letters = readdirSync(folder)
    .filter((file) => file.endsWith('.eml'))
    .toSorted()
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const text = letters
    .join('\n')
    .replace(/=\r?\n/g, '')
    .replaceAll('=3D', '=');
  return text.match(/http\S+#reset-password=\S+/g)?.at(-1);
}
