/** What moves a balance, as the list of transactions is filtered. */
export const TYPES = [
  'DEPOSIT',
  'SPEND',
  'SPEND_REVERSED',
  'SPEND_RESTORED',
  'BALANCE_REFUND_HOLD',
  'BALANCE_REFUND_RELEASE',
  'RECEIPT_HOLD',
  'RECEIPT_RELEASE',
] as const;
