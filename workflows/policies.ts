import type { ActivityOptions } from '@temporalio/workflow';

/**
 * Named retry and timeout options. Business refusals arrive as non-retryable failures, so what is
 * retried here is trouble: a database restarting, a worker lost. There is no execution timeout on
 * any flow; business deadlines are timers.
 */

/** One database transaction. Retried for ever: the row it moves waits for it. */
export const DATABASE_STEP = {
  startToCloseTimeout: '30 seconds',
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
  },
} satisfies ActivityOptions;

/** A lap of an endless loop: long, heartbeating, and begun again soon after its worker was lost. */
export const LOOP_LAP = {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: {
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '5 seconds',
  },
} satisfies ActivityOptions;

/** One look at somebody else's server. The flow decides when to look again, not the retry policy. */
export const OUTSIDE_LOOK = {
  startToCloseTimeout: '60 seconds',
  retry: { initialInterval: '1 second', maximumAttempts: 3 },
} satisfies ActivityOptions;

/** One try at a letter. Its row says when it is too late; until then the mail server may come back. */
export const MAIL_ATTEMPT = {
  startToCloseTimeout: '45 seconds',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
} satisfies ActivityOptions;

/** A payment order. Never repeated by a retry policy: the flow reads what became of it first. */
export const SEND_ONCE = {
  startToCloseTimeout: '30 seconds',
  retry: { maximumAttempts: 1 },
} satisfies ActivityOptions;

/**
 * One question to a payment provider. Its silence is an answer of the step (AWAY); what is retried is
 * trouble of our own.
 */
export const PROVIDER_STEP = {
  ...DATABASE_STEP,
  taskQueue: 'providers',
} satisfies ActivityOptions;

/**
 * One part of a generator's job. It heartbeats, so a lost worker or a cancel is noticed soon; a
 * provider that stays away is given up after some minutes, as a person waits for the result.
 */
export const GENERATION = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 3,
    maximumInterval: '30 seconds',
    maximumAttempts: 4,
  },
} satisfies ActivityOptions;

/** Writes a file of any size, heartbeating; when its worker is lost another goes on where it was. */
export const FILE_WRITE = {
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '30 seconds',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '30 seconds',
    maximumAttempts: 5,
  },
} satisfies ActivityOptions;

/** A round of periodic work. It heartbeats, so that a lost worker is noticed; rows say what is left. */
export const LONG_ROUND = {
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '1 minute',
  retry: { ...LOOP_LAP.retry, maximumInterval: '1 minute' },
} satisfies ActivityOptions;

/** Where steps run, so that no slow server takes the slots of a decision: other people's servers. */
export const ON_STRANGERS = { taskQueue: 'calls' } satisfies ActivityOptions;

/** The same for banks and payment providers. */
export const ON_PROVIDERS = { taskQueue: 'providers' } satisfies ActivityOptions;
