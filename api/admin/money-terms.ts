import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listTerms } from '../../db/queries/money-terms.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { KYC_ENTITY_TYPES } from '../../domain/lifecycle/kyc.ts';
import { MONEY_TERM_STATUSES } from '../../domain/lifecycle/money-term.ts';
import { MONEY_TERM_KINDS, ppmOf } from '../../domain/money-terms.ts';
import type { ConsoleDeps } from '../deps.ts';
import { day, id, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { moneyTermShape, presentMoneyTerm } from '../present/money-term.ts';

const country = () => text(2).matches(/^[A-Z]{2}$/, 'must be a country as ISO 3166-1 alpha-2');

const listQuery = yup.object({
  ...pageFields,
  kind: yup.string().oneOf(MONEY_TERM_KINDS),
  status: yup.string().oneOf(MONEY_TERM_STATUSES),
  publisher_id: id(),
  country: country().meta({ kind: 'word' }),
});
const proposalBody = yup.object({
  kind: yup.string().oneOf(MONEY_TERM_KINDS).required(),
  publisher_id: id().nullable(),
  country: country().nullable().meta({ kind: 'word' }),
  entity_type: yup.string().oneOf(KYC_ENTITY_TYPES).nullable(),
  percent: yup.number().min(0).max(100).required(),
  from: day().required(),
  basis: text(200).nullable().min(1),
  note: text(2_000),
});

const rule = 'interface 5.21';
const roles = ['FINANCE'] as const;

/** interface 5.21: publishers' shares and the tax that is withheld, from a day that is still to come. */
export function moneyTermRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'List shares and taxes with their history, those that begin latest first',
        rule,
        roles,
        query: listQuery,
        answer: pageOfItems(moneyTermShape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listTerms(runner(deps.db), {
          kind: query.kind,
          status: query.status,
          publisherId: query.publisher_id,
          country: query.country,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(presentMoneyTerm), total, page);
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Propose a share or a tax from a day to come; another operator approves it (5.19)',
        rule,
        roles,
        body: proposalBody,
        answer: moneyTermShape,
        statuses: [201],
      },
      async ({ body, caller, req }) => {
        const { termId } = await deps.activities.proposeTerm({
          kind: body.kind,
          publisherId: body.publisher_id ?? null,
          country: body.country ?? null,
          entityType: body.entity_type ?? null,
          ppm: readPercent(body.percent),
          from: body.from,
          basis: body.basis ?? null,
          note: body.note ?? '',
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        return await show(deps, termId);
      },
    ),
  );
  return router;
}

function readPercent(percent: number): number {
  const ppm = ppmOf(percent);
  if (ppm !== undefined) return ppm;
  throw invalid({ field: 'percent', code: 'step', message: 'must have at most four decimals' });
}

async function show(deps: ConsoleDeps, termId: number) {
  const { items } = await listTerms(runner(deps.db), { id: termId, limit: 1, offset: 0 });
  const [term] = items;
  if (term === undefined) throw notFound();
  return presentMoneyTerm(term);
}
