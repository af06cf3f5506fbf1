import type { FetchOptions, SafeFetch } from './safe-fetch.ts';
import { withoutControls } from '../../domain/control-characters.ts';

/** What somebody's server said to one call, as its log shows it. */
export interface Called {
  /** Any 2xx. */
  isTaken: boolean;
  /** HTTP_200, HTTP_500, TIMEOUT, PRIVATE_ADDRESS, ... */
  outcome: string;
  tookMs: number;
  /** The beginning of the answer; null when none came, or it was empty. */
  answer: string | null;
}

const ANSWER_CHARS_MAX = 500;

/** One call through the one way out. What goes wrong there is an outcome and not an error. */
export async function callServer(
  fetch: SafeFetch,
  url: string,
  options: Pick<FetchOptions, 'method' | 'headers' | 'body'> = {},
): Promise<Called> {
  const begun = performance.now();
  const answer = await fetch(url, { ...options, types: null, whenLarger: 'cut' });
  const tookMs = Math.round(performance.now() - begun);
  if (!answer.ok) return { isTaken: false, outcome: answer.reason, tookMs, answer: null };
  const { status, body } = answer;
  const isTaken = status >= 200 && status < 300;
  return { isTaken, outcome: `HTTP_${status}`, tookMs, answer: beginningOf(body) };
}

/** PostgreSQL keeps no NUL, and nobody reads the other control characters. */
function beginningOf(body: string): string | null {
  const text = withoutControls(body.slice(0, ANSWER_CHARS_MAX), '�');
  return text === '' ? null : text;
}
