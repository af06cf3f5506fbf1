import { Router } from 'express';
import { DOCUMENT_BYTES_MAX } from '../../activities/providers/identity-document.ts';
import type { ConsoleDeps } from '../deps.ts';
import { requestIdOf } from '../http/request-id.ts';
import { nothing } from '../http/response-shapes.ts';
import { route, SENT } from '../http/route.ts';
import { uploadOf } from '../http/upload.ts';
import { evidenceShape, presentEvidence } from '../present/evidence.ts';

const rule = 'interface 5.2, 4.6';
const roles = ['FINANCE'] as const;
const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'];

/** /api/admin/receipt-evidence: what proves that money arrived. No tenant has a route to it. */
export function receiptEvidenceRoutes(deps: ConsoleDeps): Router {
  const router = Router();

  router.post(
    '/',
    route(
      {
        summary: 'Upload a picture or PDF that proves a receipt; only operators can read it',
        rule,
        roles,
        // Evidence moves nothing; the receipt that names it asks.
        stepUp: false,
        upload: { bytesMax: DOCUMENT_BYTES_MAX },
        answer: evidenceShape,
        statuses: [200, 201],
      },
      async ({ caller, req, res }) => {
        const { evidence, created } = await deps.activities.storeReceiptEvidence({
          ...uploadOf(req),
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        if (created) res.status(201);
        return presentEvidence(evidence);
      },
    ),
  );

  router.get(
    '/:id',
    route(
      {
        summary: 'Download what proves a receipt; audited',
        rule,
        roles,
        answer: nothing(),
        produces: [...IMAGES, 'application/pdf'],
      },
      async ({ id, caller, req, res }) => {
        const { evidence, bytes } = await deps.activities.readReceiptEvidence({
          id,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        // Whatever it is, no browser shows it as a page of ours.
        res
          .status(200)
          .set('Content-Type', evidence.mime)
          .set('Content-Disposition', `attachment; filename="evidence-${id}"`)
          .set('Content-Security-Policy', "sandbox; default-src 'none'")
          .set('Cache-Control', 'no-store')
          .send(bytes);
        return SENT;
      },
    ),
  );

  return router;
}
