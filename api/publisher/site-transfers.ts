import { Router } from 'express';
import { runner } from '../../db/postgres.ts';
import { findSite } from '../../db/queries/publisher.ts';
import { notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { appealBody } from '../http/fields.ts';
import { type Ask, route } from '../http/route.ts';
import { presentSite, siteShape } from '../present/site.ts';

const rule = 'interface 4.9';
const refusals = ['state_conflict'] as const;

/** A domain that one account has verified and another proves. Mounted at /api/publisher/sites. */
export function siteTransferRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sideOf = ({ id: siteId, caller: { id: publisherId } }: Ask<unknown, unknown>) => ({
    siteId,
    publisherId,
  });
  const shown = async ({ siteId: id, publisherId }: ReturnType<typeof sideOf>) => {
    const site = await findSite(runner(deps.db), { id, publisherId });
    if (site === undefined) throw notFound();
    return presentSite(site);
  };

  router.post(
    '/:id/transfer/object',
    route(
      {
        summary: 'Object to the transfer of a verified domain to another account; a person decides',
        rule,
        body: appealBody,
        answer: siteShape,
        refusals,
      },
      async (ask) => {
        const side = sideOf(ask);
        await deps.activities.objectToTransfer({ ...side, text: ask.body.text });
        return await shown(side);
      },
    ),
  );

  router.post(
    '/:id/transfer/withdraw',
    route(
      {
        summary: 'Ask no more for a domain that another account has verified',
        rule,
        answer: siteShape,
        refusals,
      },
      async (ask) => {
        const side = sideOf(ask);
        await deps.activities.withdrawTransfer(side);
        return await shown(side);
      },
    ),
  );

  return router;
}
