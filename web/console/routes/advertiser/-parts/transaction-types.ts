/** What moves a balance, as the list of transactions is filtered. */
export const TYPES = [
  'DEPOSIT',
  'SPEND',
  'SPEND_REVERSED',
  'SPEND_RESTORED',
  'BALANCE_REFUND_HOLD',
  'BALANCE_REFUND_RELEASE',
] as const;
