import { allHandlersFinished, condition } from '@temporalio/workflow';
import { uncancellable } from './armour.ts';
import type { DecideInput } from './contracts/decision.ts';
import type { Question } from './contracts/stages.ts';
import { alreadyDecided, applying, onDecision, unknownTask } from './decisions.ts';
import { waitForPerson } from './human-wait.ts';
import { show } from './sight.ts';

interface OneDecision {
  /** Of the Update, as people see it. */
  description: string;
  /** The step that opens the task; the outcome where its rows say that it was decided before. */
  ask(this: void): Promise<Question | { outcome: string }>;
  /** The step that applies the decision. */
  apply(this: void, decision: DecideInput): Promise<{ outcome: string }>;
  /** What is asked behind an outcome that ends nothing yet: a second person's word. */
  next?: Readonly<Record<string, OneDecision['ask']>>;
}

/**
 * A flow that asks one question, and behind it what its outcome leads to: a person decides, and nothing
 * else ends it (interface 5.1). Who answers a later question while the flow, begun again, still reads its
 * rows up to there waits, and is not told that it was decided.
 */
export async function oneDecision({
  description,
  ask,
  apply,
  next = {},
}: OneDecision): Promise<string> {
  let outcome: string | undefined;
  let task: Question | null = null;
  let busy = false;

  onDecision(
    async (decision) => {
      // The task may be visible to an operator a moment before its id has come back here.
      await condition(() => task !== null || outcome !== undefined);
      if (outcome !== undefined) throw alreadyDecided();
      if (task?.taskId !== decision.taskId) throw unknownTask();
      if (busy) throw alreadyDecided();
      busy = true;
      try {
        const applied = await applying(async () => await apply(decision));
        outcome = applied.outcome;
        return applied.outcome;
      } finally {
        busy = false;
      }
    },
    {
      validator: (decision) => {
        if (outcome !== undefined || busy) throw alreadyDecided();
        if (task !== null && task.taskId !== decision.taskId) throw unknownTask();
      },
      description,
    },
  );

  const answered = async (asked: Awaited<ReturnType<typeof ask>>): Promise<string> => {
    let question: Question | undefined;
    if ('outcome' in asked) ({ outcome } = asked);
    else {
      task = question = asked;
      show({ stage: 'decision', question });
    }
    while (outcome === undefined) {
      question = await waitForPerson(question, () => outcome !== undefined);
    }
    await condition(allHandlersFinished);
    show({ stage: 'ended', note: `Outcome: ${outcome}.` });
    return outcome;
  };

  const decided = async (asked: Awaited<ReturnType<typeof ask>>): Promise<string> => {
    // Passed before this run began: `outcome` stays open, and nobody is refused for it.
    const passed = 'outcome' in asked ? next[asked.outcome] : undefined;
    if (passed !== undefined) return await decided(await passed());
    const end = await answered(asked);
    const following = next[end];
    if (following === undefined) return end;
    task = null;
    outcome = undefined;
    return await decided(await following());
  };

  // A cancel changes nothing: what ends it is a decision.
  return await uncancellable(
    () => undefined,
    async () => await decided(await ask()),
  );
}
