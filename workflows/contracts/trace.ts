/** Where Temporal's own interceptors keep a trace, so that their spans fit in. */
export const TRACE_HEADER = '_tracer-data';

/** W3C Trace Context. */
export interface TraceCarrier {
  traceparent?: string;
}
