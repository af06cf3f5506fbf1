import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import { routeOf } from './route-of.ts';

const tracer = trace.getTracer('adplatform.http');

/**
 * A span for each request to a console or the API, by route and not by address, which may hold ids and tokens.
 * Whoever calls does not say whether it is recorded: a traceparent from outside is not heeded.
 */
export const traceRequests: RequestHandler = (req, res, next) => {
  tracer.startActiveSpan(req.method, { kind: SpanKind.SERVER, root: true }, (span) => {
    res.once('close', () => {
      const route = routeOf(req);
      span.updateName(`${req.method} ${route}`);
      span.setAttributes({
        'http.request.method': req.method,
        'http.route': route,
        'http.response.status_code': res.statusCode,
      });
      if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    next();
  });
};
