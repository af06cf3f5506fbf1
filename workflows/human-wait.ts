import { condition } from '@temporalio/workflow';
import type { Question } from './contracts/stages.ts';
import { DATABASE_STEP } from './policies.ts';
import { stepsOf } from './steps.ts';

const { remindOfTask } = stepsOf(DATABASE_STEP, {
  remindOfTask: 'Remind of the task that nobody decided, or escalate it',
});

/** Milliseconds until a question is asked about again; undefined: it is not. Never at once: clocks disagree. */
export const untilReminder = (question: Question | undefined): number | undefined =>
  question?.remindAt === undefined || question.remindAt === null
    ? undefined
    : Math.max(1_000, Date.parse(question.remindAt) - Date.now());

/** Reminds of the task, or escalates it; answers what is waited for from then on. */
export async function remind(question: Question): Promise<Question> {
  const { nextAt } = await remindOfTask({ taskId: question.taskId });
  return { ...question, remindAt: nextAt };
}

/**
 * Waits for a person until `isAwake`, or until it is time to remind of the task. A question without a
 * time waits as long as it takes, as those of builds before do.
 */
export async function waitForPerson(
  question: Question | undefined,
  isAwake: () => boolean,
): Promise<Question | undefined> {
  const waitMs = untilReminder(question);
  if (question === undefined || waitMs === undefined) {
    await condition(isAwake);
    return question;
  }
  const summary = `until task ${question.taskId} is asked about again`;
  return (await condition(isAwake, waitMs, { summary })) ? question : await remind(question);
}
