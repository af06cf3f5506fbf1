import type { Answer, Ask } from '../../../client/client.ts';
import { api, read, write } from '../../api.ts';
import { order } from '../../order-keys.ts';

/** Money in and out, and the books that hold it together. */
type DepositQuery = NonNullable<Ask<'GET /api/admin/deposits'>['query']>;
type WithdrawalQuery = NonNullable<Ask<'GET /api/admin/withdrawals'>['query']>;
type AccountQuery = NonNullable<Ask<'GET /api/admin/ledger/accounts'>['query']>;
type TransferQuery = NonNullable<Ask<'GET /api/admin/ledger/transfers'>['query']>;

export type OperatorDeposit = Answer<'GET /api/admin/deposits'>['items'][number];
export type DepositPage = Answer<'GET /api/admin/deposits/{id}'>;
export type OperatorWithdrawal = Answer<'GET /api/admin/withdrawals'>['items'][number];
export type WithdrawalPage = Answer<'GET /api/admin/withdrawals/{id}'>;
export type LedgerAccount = Answer<'GET /api/admin/ledger/accounts'>['items'][number];
export type LedgerTransfer = Answer<'GET /api/admin/ledger/transfers'>['items'][number];

export const deposits = (query: DepositQuery) =>
  read('GET /api/admin/deposits', { query: { page_size: 20, ...query } });
export const deposit = (id: number) => read('GET /api/admin/deposits/{id}', { path: { id } });
export const recordReceipt = order('POST /api/admin/deposits/{id}/receipts', [
  'GET /api/admin/deposits',
  'GET /api/admin/deposits/{id}',
  'GET /api/admin/deposits/{id}/receipt-effect',
  'GET /api/admin/tasks',
  'GET /api/admin/tasks/counts',
]);

/** What recording so much would do, before anybody does. */
export const receiptEffect = (id: number, amount: number) =>
  read('GET /api/admin/deposits/{id}/receipt-effect', {
    path: { id },
    query: { amount: String(amount) },
  });
export type ReceiptEffect = Answer<'GET /api/admin/deposits/{id}/receipt-effect'>;
export const askReceiptBack = write('POST /api/admin/receipts/{id}/take-back', [
  'GET /api/admin/deposits',
  'GET /api/admin/deposits/{id}',
  'GET /api/admin/tasks/{id}',
  'GET /api/admin/approvals',
]);

export type Evidence = Answer<'POST /api/admin/receipt-evidence'>;

/** What proves a receipt; kept at once, so that a refused file says so at itself. */
export async function uploadEvidence(file: File): Promise<Evidence> {
  const route = 'POST /api/admin/receipt-evidence';
  const body = new FormData();
  body.set('file', file);
  return await api(route).call(route, { body });
}

export const withdrawals = (query: WithdrawalQuery) =>
  read('GET /api/admin/withdrawals', { query: { page_size: 20, ...query } });
export const withdrawal = (id: number) => read('GET /api/admin/withdrawals/{id}', { path: { id } });
export const stages = read('GET /api/admin/withdrawals/stages');
export const PAYOUT_FILE = 'GET /api/admin/withdrawals/{id}/payout-file';
const PAYOUTS = [
  'GET /api/admin/withdrawals',
  'GET /api/admin/withdrawals/{id}',
  'GET /api/admin/withdrawals/stages',
] as const;
export const FILE_TAKEN = [...PAYOUTS, 'GET /api/admin/tasks/{id}'] as const;
export const makePayoutFile = write('POST /api/admin/withdrawals/payout-files', FILE_TAKEN);
export const askFileBack = write('POST /api/admin/withdrawals/{id}/payout-file/take-back', [
  ...PAYOUTS,
  'GET /api/admin/approvals',
]);
export const returnWithdrawal = write('POST /api/admin/withdrawals/{id}/return', PAYOUTS);

export const ledgerAccounts = (query: AccountQuery) =>
  read('GET /api/admin/ledger/accounts', { query: { page_size: 20, ...query } });
export const transfers = (query: TransferQuery) =>
  read('GET /api/admin/ledger/transfers', { query: { page_size: 20, ...query } });
export const books = read('GET /api/admin/books');
