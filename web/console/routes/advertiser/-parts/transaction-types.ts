/** What moves a balance, as the list of transactions is filtered. */
export const TYPES = ['DEPOSIT', 'SPEND'] as const;
