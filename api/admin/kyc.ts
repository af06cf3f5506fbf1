import { Router } from 'express';
import { runner } from '../../db/postgres.ts';
import { listKycApplications, listKycDocuments } from '../../db/queries/kyc.ts';
import { notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { nothing } from '../http/response-shapes.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route, SENT } from '../http/route.ts';
import { kycRoundShape, presentKycRound } from '../present/kyc.ts';

const RULE = 'interface 5.1, 5.2';
/** Least privilege: who decides reads, and nobody else. */
const ROLES = ['REVIEWER'] as const;
const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'];

/** One round with its documents and the rounds before; the number masked. Undefined: there is none. */
export async function readKycRound(deps: ConsoleDeps, applicationId: number) {
  const sql = runner(deps.db);
  const rounds = await listKycApplications(sql, { applicationId });
  const round = rounds.find((each) => each.id === applicationId);
  if (round === undefined) return undefined;
  const documents = await listKycDocuments(sql, round.documentIds);
  return presentKycRound(
    round,
    documents,
    rounds.filter((each) => each !== round),
  );
}

/** /api/admin/kyc: proofs of identity. Whoever looks at one is in the audit log. */
export function adminKycRoutes(deps: ConsoleDeps): Router {
  const router = Router();

  router.get(
    '/:id',
    route(
      {
        summary: 'Show a proof of identity with its whole number; audited',
        rule: RULE,
        roles: ROLES,
        answer: kycRoundShape,
      },
      async ({ id, caller, req, res }) => {
        const round = await readKycRound(deps, id);
        if (round === undefined) throw notFound();
        const { documentNumber } = await deps.activities.readKycNumber({
          id,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        res.setHeader('Cache-Control', 'no-store');
        return { ...round, document_number: documentNumber };
      },
    ),
  );

  router.get(
    '/documents/:id',
    route(
      {
        summary: 'Download a document of a proof of identity; audited',
        rule: RULE,
        roles: ROLES,
        answer: nothing(),
        produces: [...IMAGES, 'application/pdf'],
      },
      async ({ id, caller, req, res }) => {
        const { document, bytes } = await deps.activities.readKycDocument({
          id,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        // Whatever it is, no browser shows it as a page of ours.
        res
          .status(200)
          .set('Content-Type', document.mime)
          .set('Content-Disposition', `attachment; filename="document-${id}"`)
          .set('Content-Security-Policy', "sandbox; default-src 'none'")
          .set('Cache-Control', 'no-store')
          .send(bytes);
        return SENT;
      },
    ),
  );

  return router;
}
