import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Stand } from './stand.ts';

export interface Letter {
  id: number;
  kind: string;
  to: string;
  text: string;
  /** Of the link that confirms an address, sets a password, or says "this was not me". */
  token: string;
}

/** All that was written to a person, oldest first, sent and read as its reader does. */
export async function lettersOf(
  stand: Pick<Stand, 'database' | 'activities' | 'config'>,
  column: 'account_id' | 'operator_id' | 'invitation_id',
  id: number,
): Promise<Letter[]> {
  const { rows } = await stand.database.pool.query<{ id: string; kind: string }>(
    `SELECT id, kind FROM mails WHERE ${column} = $1 ORDER BY id`,
    [id],
  );
  const letters: Letter[] = [];
  for (const row of rows) {
    const mailId = Number(row.id);
    const { outcome } = await stand.activities.deliverMail({ mailId });
    if (outcome !== 'SENT') continue;
    const raw = await readFile(path.join(stand.config.mail.dir, `${mailId}.eml`), 'latin1');
    const text = readableLetter(raw);
    letters.push({
      id: mailId,
      kind: row.kind,
      to: /^To: (.*?)\r?$/m.exec(text)?.[1] ?? '',
      text,
      token: /#[\w-]+=\w+\.([\w-]{43})/.exec(text)?.[1] ?? '',
    });
  }
  return letters;
}

/** Its head, and its body as the reader sees it (RFC 2045, 6.7 and 6.8): Chinese goes out in base64. */
export function readableLetter(raw: string): string {
  const at = /\r?\n\r?\n/.exec(raw)?.index ?? raw.length;
  const [head, body] = [raw.slice(0, at), raw.slice(at)];
  const bytes = /^Content-Transfer-Encoding: base64/m.test(head)
    ? Buffer.from(body, 'base64')
    : Buffer.from(
        body
          .replace(/=\r?\n/g, '')
          .replace(/=([\dA-F]{2})/g, (_all, hex: string) =>
            String.fromCodePoint(Number.parseInt(hex, 16)),
          ),
        'latin1',
      );
  return `${head}\n\n${bytes.toString('utf8')}`;
}
