import { type Attributes, context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { TRACE_HEADER, type TraceCarrier } from '../../workflows/contracts/trace.ts';

/**
 * Traces of what somebody asked for: from the request by the outbox into its flow, and from there into each
 * of its steps. Without an exporter (metrics/traces.ts) there is no span, nothing is written, and each of
 * these is a look at an empty place. Attributes are words and ids: no person, no sum, no text of a statement.
 */
const tracer = trace.getTracer('adplatform');

/** Where we are, as a message carries it; null: nobody traces. */
export function currentTrace(): string | null {
  const carrier: TraceCarrier = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Runs `run` as a span behind `parent`; without a parent there is none, so that no loop has a trace. */
export async function traced<Result>(
  parent: string | null | undefined,
  { name, attributes }: { name: string; attributes: Attributes },
  run: () => Promise<Result>,
): Promise<Result> {
  if (parent === null || parent === undefined) return await run();
  const behind = propagation.extract(context.active(), { traceparent: parent });
  return await tracer.startActiveSpan(name, { attributes }, behind, async (span) => {
    try {
      return await run();
    } catch (error) {
      // Its name alone: what it says may be about a person.
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The trace that a flow was given for one of its steps. */
export function traceOf(headers: Headers): string | null {
  const given = headers[TRACE_HEADER];
  if (given === undefined) return null;
  return defaultPayloadConverter.fromPayload<TraceCarrier>(given).traceparent ?? null;
}

function withTrace<Input extends { headers: Headers }>(input: Input): Input {
  const traceparent = currentTrace();
  if (traceparent === null) return input;
  const carrier: TraceCarrier = { traceparent };
  const header = defaultPayloadConverter.toPayload(carrier);
  return { ...input, headers: { ...input.headers, [TRACE_HEADER]: header } };
}

/** Of a Client: what starts a flow or carries a decision to it takes the trace along. */
export const tracesOfClient: WorkflowClientInterceptor = {
  start: async (input, next) => await next(withTrace(input)),
  startUpdate: async (input, next) => await next(withTrace(input)),
};
