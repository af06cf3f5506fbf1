import express, { type Express, type Router } from 'express';
import { pino } from 'pino';
import { jsonBody } from '../../api/http/body.ts';
import { errorHandler, unknownRoute } from '../../api/http/errors.ts';
import { requestId } from '../../api/http/request-id.ts';

/** An application of some routers, with the console's own parser and error handler around them. */
export function testApp(mounts: Record<string, Router>): Express {
  const app = express();
  app.use(requestId, jsonBody());
  for (const [path, router] of Object.entries(mounts)) app.use(path, router);
  app.use(unknownRoute);
  app.use(errorHandler(pino({ level: 'silent' })));
  return app;
}
