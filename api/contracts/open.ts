import type { Router } from 'express';
import * as yup from 'yup';
import { anything, record, whole, words } from '../http/response-shapes.ts';
import {
  type DescribedRoute,
  describedRoutes,
  describeRoutes,
  type RouteContract,
} from '../http/route.ts';

/**
 * What the surfaces that anybody may call take and answer. Their handlers read by rules of their own
 * (a hot path has no wrapper), so these are said here, apart from them, and tests hold the answers
 * of the handlers against it.
 */
export type OpenRoute = Omit<DescribedRoute, 'contract'> & {
  contract: Pick<RouteContract, 'summary' | 'rule' | 'query' | 'body'> & {
    raw: NonNullable<RouteContract['raw']>;
  };
};

/** Read as text, and never a reason to refuse. */
export const privacyFields = {
  gdpr: yup.string(),
  gdpr_consent: yup.string(),
  gpp: yup.string(),
  gpp_sid: yup.string(),
  us_privacy: yup.string(),
  coppa: yup.string(),
};

/** Adds to what the router already says of itself. */
export function describeOpen(router: Router, routes: readonly OpenRoute[]): Router {
  const added = routes.map(({ contract, ...route }) => ({
    ...route,
    contract: { ...contract, open: true as const, answer: anything() },
  }));
  describeRoutes(router, [...describedRoutes(router), ...added]);
  return router;
}

type Response = NonNullable<RouteContract['raw']>[number];

export const json = (description: string, shape?: yup.AnySchema): Response => ({
  description,
  type: 'application/json',
  ...(shape === undefined ? {} : { shape }),
});

export const page = (description: string): Response => ({ description, type: 'text/html' });

/** 1x1, whatever became of the event (interface 4.14). */
export const pixel = (): Response => ({
  description: 'A transparent GIF of one pixel; it says nothing of the verdict.',
  type: 'image/gif',
});

export const bare = (description: string): Response => ({ description });

/** interface 2.1: the envelope of a refusal, as the whole document has it. */
export const refusal = (description: string): Response =>
  json(description, yup.mixed().meta({ schema: { $ref: '#/components/schemas/Refusal' } }));

/** Fields beside these are read by nobody and refused by nobody. */
export const loose = <Fields extends yup.ObjectShape>(fields: Fields) =>
  yup.object(fields).meta({ schema: { additionalProperties: true } });

/** What is a number in JSON and digits in a query. */
export const digits = () =>
  yup.mixed<string | number>().meta({ schema: { type: ['integer', 'string'] } });

/** interface 2.1: where `data` has the given shape. */
export const enveloped = (data: yup.AnySchema, name: string) =>
  record({ code: whole(), message: words(), data, timestamp: whole() }, name);
