import { LONG_ROUND } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { checkBooks } = stepsOf(LONG_ROUND, {
  checkBooks: 'Hold every invariant of the books against the rows',
});

/** One round, started by its schedule: whether the books still hold. What does not is an alarm (ops/prometheus). */
export async function booksWorkflow(): Promise<void> {
  const { checked, broken } = await checkBooks();
  const found = broken.length === 0 ? 'all hold' : `do not hold: ${broken.join(', ')}`;
  show({ stage: 'ended', note: `${checked} invariants: ${found}.` });
}
