import { PAY_CURRENCIES, TOKEN_NETWORKS } from '../../domain/deposit-terms.ts';
import { json, nanos, ref, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

/** What a payer needs: a code to scan, or where to send tokens. */
export type Instructions =
  | { kind: 'QR'; qr: string; page: string | null }
  | {
      kind: 'ADDRESS';
      qr: string;
      page: string | null;
      address: string;
      network: string;
      contract: string;
      confirmations: number;
    };

export const depositPayments = table(
  'deposit_payments',
  {
    depositId: ref(),
    payNanos: nanos(),
    payCurrency: word([...new Set(Object.values(PAY_CURRENCIES))]),
    /** The chain that its payer sends tokens on. */
    network: word(TOKEN_NETWORKS).orNull(),
    instructions: json<Instructions>().orNull(),
    address: text().orNull(),
    openedAt: time().orNull(),
    refused: text().orNull(),
    closedAt: time().orNull(),
    askedAt: time().orNull(),
    answer: text().orNull(),
    confirmationsSeen: whole().orNull(),
    createdAt: time().byDefault(),
  },
  { key: ['depositId'] },
);
export type DepositPaymentRow = Row<typeof depositPayments>;
