import { serverAnswer } from '../texts/server-answer.ts';
import { State } from './state.tsx';
import { useTexts, wordOf } from './texts.ts';

const HTTP = /^HTTP_(\d{3})$/;

/** The last answer of somebody's server in words: `HTTP 500`, or why there was none. */
export function ServerAnswer({ outcome }: { outcome: string }) {
  const t = useTexts(serverAnswer);
  const [, status] = HTTP.exec(outcome) ?? [];
  return status === undefined ? wordOf(t.refusals, outcome) : t.http(status);
}

/** No person looks at it, as the word is for what waits elsewhere: its turn comes. */
export const callStateOf = <Status extends string>(status: Status) =>
  status === 'PENDING' ? ('queued' as const) : (status as Exclude<Status, 'PENDING'>);

export const CallState = ({ status }: { status: string }) => <State state={callStateOf(status)} />;
