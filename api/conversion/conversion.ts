import cors from 'cors';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  Router,
} from 'express';
import type { ConversionReport } from '../../activities/tracking/conversion-report.ts';
import { requestId } from '../http/request-id.ts';
import { requestLog } from '../http/request-log.ts';
import { answerReport, conversionAnswer, type ConversionDeps, sendFlatRefusal } from './answer.ts';
import { malformed, type Params, queryParams } from './params.ts';

const BODY_MAX = '16kb';
const BODY_PARAMS_MAX = 50;
const PATHS = ['/conversion', '/conversion.gif', '/postback'];

/**
 * interface 4.14, mounted at /track: conversion and postback by query, form or JSON, and the GIF.
 * Answers are flat, {code, msg, conversion_id}, with conversion_id 0 when nothing was stored.
 */
export function conversionRoutes(deps: ConversionDeps, answer = conversionAnswer(deps)): Router {
  const router = Router();
  router.use((req, res, next) => {
    if (!answer(req, res, req.url)) next();
  });
  router.use(PATHS, requestId, requestLog(deps.log));
  router.use(PATHS, cors({ origin: '*', methods: ['GET', 'POST'], maxAge: 86_400 }));
  // Express would run a GET handler for HEAD, and asking for headers converts nobody.
  router.head(PATHS, (_req, res) => {
    res.status(200).end();
  });
  const parsers = [
    express.json({ limit: BODY_MAX }),
    express.urlencoded({ extended: false, limit: BODY_MAX, parameterLimit: BODY_PARAMS_MAX }),
  ];
  router.post('/conversion', parsers, posted(deps, 'api'));
  router.post('/postback', parsers, posted(deps, 'postback'));
  router.use(PATHS, flatErrors(deps));
  return router;
}

const posted =
  (deps: ConversionDeps, source: ConversionReport['source']): RequestHandler =>
  async (req, res) => {
    await answerReport(deps, { req, res, params: paramsOf(req) }, source);
  };

function flatErrors(deps: ConversionDeps): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) next(error);
    else sendFlatRefusal(deps, res, error);
  };
}

/** The body's fields win over the query's. */
function paramsOf(req: Request): Params {
  const body: unknown = req.body;
  const query = queryParams(req.url);
  if (body === undefined) return query;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw malformed('A JSON object or a form is expected.');
  }
  return { ...query, ...body };
}
