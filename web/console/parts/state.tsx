import { Badge } from '@mantine/core';
import { states } from '../texts/states.ts';
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
  'PROCESSING',
  'open',
]);

/** A state in words; its colour says the same once more. */
export function State({ state }: { state: string | null | undefined }) {
  const t = useTexts(states);
  if (state === null || state === undefined) return <span>—</span>;
  return (
    <Badge variant="light" color={colourOf(state)} radius="sm" tt="none" data-state={state}>
      {wordOf(t, state)}
    </Badge>
  );
}

function colourOf(state: string): string {
  if (GOOD.has(state)) return 'teal.9';
  if (BAD.has(state)) return 'red.9';
  return WAITING.has(state) ? 'yellow.9' : 'gray.9';
}
