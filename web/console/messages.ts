import { ApiError, type FieldError } from '../client/client.ts';

/** The API speaks English. Its sentences in Chinese come when they are needed, and for those who read it. */
type Said = (message: string) => string;

export const asSent: Said = (message) => message;

const isChinese = (): boolean => document.documentElement.lang === 'zh';

const loadChinese = async () => await import('./texts/messages/in-chinese.ts');

export const loadInChinese = async (): Promise<Said> => (await loadChinese()).inChinese;

export const loadSaid = async (): Promise<Said> => (isChinese() ? await loadInChinese() : asSent);

/** A field that a refusal names, and what its reader calls it. */
export interface NamedField extends FieldError {
  label?: string | undefined;
}

/** A refusal in the language of the page. */
export async function understood(error: unknown): Promise<unknown> {
  // Without an answer there is nothing to say in other words, nor a way to fetch them.
  if (!(error instanceof ApiError) || error.status === 0 || !isChinese()) return error;
  return await loadChinese().then(
    (words) => inWords(error, words),
    // In English it says more than that a file of ours is away.
    () => error,
  );
}

function inWords(
  error: ApiError,
  { inChinese, fieldInChinese }: Awaited<ReturnType<typeof loadChinese>>,
): ApiError {
  const errors = error.errors.map((each): NamedField => ({
    ...each,
    message: inChinese(each.message),
    label: fieldInChinese(each.field),
  }));
  return Object.assign(error, { message: inChinese(error.message), errors });
}
