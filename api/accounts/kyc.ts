import { Router } from 'express';
import * as yup from 'yup';
import { DOCUMENT_BYTES_MAX } from '../../activities/providers/identity-document.ts';
import { runner } from '../../db/postgres.ts';
import { listKycApplications, listKycDocuments, readKycStatus } from '../../db/queries/kyc.ts';
import { COUNTRIES } from '../../domain/countries.ts';
import { KYC_ENTITY_TYPES } from '../../domain/lifecycle/kyc.ts';
import type { ConsoleDeps } from '../deps.ts';
import { acceptedShape } from '../present/operation.ts';
import { kycDocumentShape, kycShape, presentKyc, presentKycDocument } from '../present/kyc.ts';
import { day, id, name } from '../http/fields.ts';
import { acceptedOperation } from '../operations/operations.ts';
import { route } from '../http/route.ts';
import { uploadOf } from '../http/upload.ts';

const RULE = 'interface 5.1';
const DOCUMENTS_MAX = 10;

const submitBody = yup.object({
  entity_type: yup.string().oneOf(KYC_ENTITY_TYPES).required(),
  legal_name: name().required(),
  country: yup
    .string()
    .oneOf([...COUNTRIES])
    .required(),
  /** Of the passport or identity card, or of the company's registration. */
  document_number: yup
    .string()
    .matches(/^[\p{L}\p{N}][\p{L}\p{N} ./-]{2,63}$/u, 'must be 3 to 64 letters, digits, . / -')
    .required(),
  document_expires_on: day().nullable(),
  document_ids: yup.array().of(id().required()).min(1).max(DOCUMENTS_MAX).required(),
});

/** `/kyc` of the advertisers' and the publishers' realm. */
export function kycRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);

  router.get(
    '/',
    route(
      { summary: 'Show how your proof of identity stands', rule: RULE, answer: kycShape },
      async ({ caller }) => {
        const status = await readKycStatus(sql, caller.id);
        const rounds = await listKycApplications(sql, { accountId: caller.id });
        const documents = await listKycDocuments(sql, rounds[0]?.documentIds ?? []);
        return presentKyc(status, rounds, documents);
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Submit your proof of identity; a person will look at it',
        rule: RULE,
        roles: ['FINANCE'],
        // A person looks at it.
        stepUp: false,
        body: submitBody,
        answer: acceptedShape,
        statuses: [202],
      },
      async ({ body, caller, res }) => {
        const { operationId } = await deps.activities.submitKyc({
          accountId: caller.id,
          entityType: body.entity_type,
          legalName: body.legal_name.trim(),
          country: body.country,
          documentNumber: body.document_number.trim(),
          documentExpiresOn: body.document_expires_on ?? null,
          documentIds: body.document_ids,
        });
        return await acceptedOperation(deps, { caller, res }, operationId);
      },
    ),
  );

  router.post(
    '/documents',
    route(
      {
        summary: 'Upload a picture or PDF of a document; only operators can read it',
        rule: RULE,
        roles: ['FINANCE'],
        stepUp: false,
        upload: { bytesMax: DOCUMENT_BYTES_MAX },
        answer: kycDocumentShape,
        statuses: [200, 201],
        refusals: ['state_conflict'],
      },
      async ({ caller, req, res }) => {
        const { bytes } = uploadOf(req);
        const stored = await deps.activities.storeKycDocument({ accountId: caller.id, bytes });
        const [document] = await listKycDocuments(sql, [stored.id]);
        if (document === undefined) throw new Error(`document ${stored.id} vanished`);
        if (stored.created) res.status(201);
        return presentKycDocument(document);
      },
    ),
  );

  return router;
}
