import { AsyncLocalStorage, type WorkflowInterceptors } from '@temporalio/workflow';
import type { Payload } from '@temporalio/common';
import { TRACE_HEADER } from './contracts/trace.ts';

/**
 * Hands the trace that a flow or a decision came with to the steps that follow from it. It only carries:
 * not one promise, span or number of its own, so that histories which began without it replay turn by
 * turn, and whether anybody traces changes nothing in a flow.
 */
const traces = new AsyncLocalStorage<Payload>();

interface Carries {
  headers: Record<string, Payload>;
}

function within<Input extends Carries, Result>(
  input: Input,
  next: (input: Input) => Result,
): Result {
  const given = input.headers[TRACE_HEADER];
  return given === undefined ? next(input) : traces.run(given, () => next(input));
}

function carried<Input extends Carries, Result>(
  input: Input,
  next: (input: Input) => Result,
): Result {
  const given = traces.getStore();
  return given === undefined
    ? next(input)
    : next({ ...input, headers: { ...input.headers, [TRACE_HEADER]: given } });
}

/** Of the bundle (worker/bundle.ts). */
export const interceptors = (): WorkflowInterceptors => ({
  inbound: [{ execute: within, handleUpdate: within }],
  outbound: [{ scheduleActivity: carried, continueAsNew: carried }],
});
