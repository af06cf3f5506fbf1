import { type Response, Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { type DocumentFile, findDocumentFile, listDocuments } from '../../db/queries/documents.ts';
import { DOCUMENT_KINDS, type DocumentFormat } from '../../domain/documents.ts';
import { notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { day } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { nothing, pageOfItems } from '../http/response-shapes.ts';
import { route, SENT } from '../http/route.ts';
import { documentShape, presentDocument } from '../present/document.ts';

const rule = 'interface 5.22';

/** What the address calls a format, how it is kept, and how it is sent. */
const FILES = {
  csv: { format: 'CSV', mime: 'text/csv', suffix: 'csv' },
  pdf: { format: 'PDF', mime: 'application/pdf', suffix: 'pdf' },
  jws: { format: 'MANIFEST', mime: 'application/jose+json', suffix: 'jws.json' },
} as const satisfies Record<string, { format: DocumentFormat; mime: string; suffix: string }>;
type FileName = keyof typeof FILES;

export const DOCUMENT_MIMES = Object.values(FILES).map(({ mime }) => mime);

export const documentQuery = yup.object({
  ...pageFields,
  kind: yup.string().oneOf(DOCUMENT_KINDS),
  start_date: day(),
  end_date: day(),
});
export const documentFileQuery = yup.object({
  format: yup
    .string()
    .oneOf(Object.keys(FILES) as FileName[])
    .default('csv' as const),
});
export const documentPage = pageOfItems(documentShape);

/** A page of what an account was issued. */
export async function readDocumentPage(
  deps: ConsoleDeps,
  accountId: number,
  query: yup.InferType<typeof documentQuery>,
) {
  const page = pageOf(query);
  const { items, total } = await listDocuments(runner(deps.db), {
    accountId,
    kind: query.kind,
    startDate: query.start_date,
    endDate: query.end_date,
    limit: page.limit,
    offset: page.offset,
  });
  return presentPage(items.map(presentDocument), total, page);
}

export const formatOf = (name: FileName): DocumentFormat => FILES[name].format;

/** Sends the bytes that were issued, under the name that the signed manifest has for them. */
export function sendDocument(res: Response, name: FileName, { number, bytes }: DocumentFile) {
  const { mime, suffix } = FILES[name];
  res
    .status(200)
    .set('Content-Type', name === 'csv' ? `${mime}; charset=utf-8` : mime)
    .set('Content-Disposition', `attachment; filename="${number}.${suffix}"`)
    .set('Cache-Control', 'private, no-store')
    .send(bytes);
  return SENT;
}

/** interface 5.22: statements, invoices, credit notes and receipts of the account that asks. */
export function documentRoutes(deps: ConsoleDeps): Router {
  const router = Router();

  router.get(
    '/',
    route(
      {
        summary: 'List statements, invoices, credit notes and receipts, newest first',
        rule,
        query: documentQuery,
        answer: documentPage,
      },
      async ({ query, caller }) => await readDocumentPage(deps, caller.id, query),
    ),
  );

  router.get(
    '/:id/file',
    route(
      {
        summary: 'Download a document, or the signature over it',
        rule,
        query: documentFileQuery,
        answer: nothing(),
        produces: DOCUMENT_MIMES,
      },
      async ({ id, query, caller, res }) => {
        const key = { id, format: formatOf(query.format), accountId: caller.id };
        const file = await findDocumentFile(runner(deps.db), key);
        if (file === undefined) throw notFound();
        return sendDocument(res, query.format, file);
      },
    ),
  );

  return router;
}
