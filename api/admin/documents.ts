import { Router } from 'express';
import { runner } from '../../db/postgres.ts';
import { readAccountPerson } from '../../db/queries/account-admin.ts';
import { notFound } from '../../domain/errors.ts';
import {
  DOCUMENT_MIMES,
  documentFileQuery,
  documentPage,
  documentQuery,
  formatOf,
  readDocumentPage,
  sendDocument,
} from '../accounts/documents.ts';
import type { ConsoleDeps } from '../deps.ts';
import { requestIdOf } from '../http/request-id.ts';
import { nothing } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';

const rule = 'interface 5.22';
const roles = ['SUPPORT', 'FINANCE'] as const;

/** interface 5.22: what an account was issued, as operators see it. */
export function adminDocumentRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addSide(router, deps, 'advertiser');
  addSide(router, deps, 'publisher');

  router.get(
    '/documents/:id/file',
    route(
      {
        summary: 'Download a document of an account, or the signature over it; audited',
        rule,
        roles,
        query: documentFileQuery,
        answer: nothing(),
        produces: DOCUMENT_MIMES,
      },
      async ({ id, query, caller, req, res }) => {
        const file = await deps.activities.readDocumentFile({
          id,
          format: formatOf(query.format),
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        return sendDocument(res, query.format, file);
      },
    ),
  );

  return router;
}

function addSide(router: Router, deps: ConsoleDeps, noun: 'advertiser' | 'publisher'): void {
  const called = noun === 'advertiser' ? 'an advertiser' : 'a publisher';
  router.get(
    `/${noun}s/:id/documents`,
    route(
      {
        summary: `List what ${called} was issued, newest first`,
        rule,
        roles,
        query: documentQuery,
        answer: documentPage,
      },
      async ({ id, query }) => {
        const account = await readAccountPerson(runner(deps.db), id);
        if (account?.kind.toLowerCase() !== noun) throw notFound();
        return await readDocumentPage(deps, id, query);
      },
    ),
  );
}
