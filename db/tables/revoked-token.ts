import { text, time } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const revokedTokens = table(
  'revoked_tokens',
  {
    jti: text(),
    expiresAt: time(),
    createdAt: time().byDefault(),
  },
  { key: ['jti'] },
);
export type RevokedTokenRow = Row<typeof revokedTokens>;
