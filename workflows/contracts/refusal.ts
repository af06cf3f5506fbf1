/** What an operator may say of a step that was refused: it is done again, or what it is about is ended. */
export const REFUSAL_ANSWERS = ['retry', 'end'] as const;
export type RefusalAnswer = (typeof REFUSAL_ANSWERS)[number];
