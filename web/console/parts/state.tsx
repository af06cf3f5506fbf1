import { states } from '../texts/states.ts';
import { NONE } from './none.tsx';
import classes from './state.module.css';
import { useTexts, wordOf } from './texts.ts';

const GOOD = new Set([
  'ACTIVE',
  'APPROVED',
  'ELIGIBLE',
  'VERIFIED',
  'PAID',
  'succeeded',
  'approved',
  'ACCEPTED',
  'BILLED',
  'DELIVERED',
  'CREDITED',
  'SETTLED',
  'APPLIED',
  'OK',
]);
const BAD = new Set([
  'REJECTED',
  'SUSPENDED',
  'NOT_ELIGIBLE',
  'FAILED',
  'LAPSED',
  'failed',
  'rejected',
  'UNKNOWN',
  'RISK_HOLD',
  'RETURNED',
  'DEAD',
  'DISABLED',
  'REFUSED',
  'AWAY',
  'expired',
]);
const WAITING = new Set([
  'PENDING',
  'REVIEW',
  'CONFIRMING',
  'LIMITED',
  'RUNNING',
  'running',
  'waiting_human',
  'pending',
  'queued',
  'undecided',
  'PROCESSING',
  'SUSPENSE',
  'REFUNDING',
  'TAKING_BACK',
  'REQUESTED',
  'RETURNING',
  'ASKED',
  'TO_SEND',
  'BY_HAND',
  'PREPARING',
  'PREVIEW',
  'APPLYING',
  'PROPOSED',
  'open',
]);

/** A state in words; its colour says the same once more. `isGood`: of this noun, whatever the word is elsewhere. `words`: that say more than the state does. */
export function State({
  state,
  isGood = false,
  words,
}: {
  state: string | null | undefined;
  isGood?: boolean;
  words?: string;
}) {
  const t = useTexts(states);
  if (state === null || state === undefined) return NONE;
  return (
    <span
      className={`${classes['state']} ${classes[isGood ? 'good' : toneOf(state)]}`}
      data-state={state}
    >
      {words ?? wordOf(t, state)}
    </span>
  );
}

function toneOf(state: string): 'good' | 'bad' | 'waiting' | 'plain' {
  if (GOOD.has(state)) return 'good';
  if (BAD.has(state)) return 'bad';
  return WAITING.has(state) ? 'waiting' : 'plain';
}
