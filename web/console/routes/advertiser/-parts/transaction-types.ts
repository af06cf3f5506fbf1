/** What moves a balance, as the list of transactions is filtered. */
export const TYPES = ['DEPOSIT', 'SPEND', 'SPEND_REVERSED', 'SPEND_RESTORED'] as const;
