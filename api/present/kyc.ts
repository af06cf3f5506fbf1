import type * as yup from 'yup';
import type { KycRound } from '../../db/queries/kyc.ts';
import type { KycDocumentRow } from '../../db/tables/kyc-document.ts';
import {
  KYC_ENTITY_TYPES,
  kycApplicationLifecycle,
  renewableFrom,
} from '../../domain/lifecycle/kyc.ts';
import { KYC_STATUSES, type KycStatus } from '../../domain/lifecycle/profile.ts';
import {
  dateOrNull,
  idOf,
  listOf,
  oneOf,
  oneOfOrNull,
  record,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

const reasonShape = record({ code: words(), field: wordsOrNull(), note: wordsOrNull() });

export const kycDocumentShape = record(
  { id: idOf(), mime: words(), bytes: whole(), sha256: words(), created_at: time() },
  'KycDocument',
);

/** What the owner sees of the last round; all but the status null before the first one. */
export const kycShape = record(
  {
    kyc_status: oneOf(KYC_STATUSES),
    round: wholeOrNull(),
    entity_type: oneOfOrNull(KYC_ENTITY_TYPES),
    legal_name: wordsOrNull(),
    country: wordsOrNull(),
    document_number: wordsOrNull(),
    document_expires_on: dateOrNull(),
    documents: listOf(kycDocumentShape),
    reasons: listOf(reasonShape),
    submitted_at: timeOrNull(),
    decided_at: timeOrNull(),
    expires_at: timeOrNull(),
    /** Of the last round: a renewal may be looked at while what stands is approved. */
    round_status: oneOfOrNull(kycApplicationLifecycle.statuses),
    /** Until when what is approved holds, and from when on it can be renewed. */
    valid_until: timeOrNull(),
    renewable_from: timeOrNull(),
  },
  'Kyc',
);

const roundFields = {
  id: idOf(),
  account_id: idOf(),
  round: whole().min(1),
  status: oneOf(kycApplicationLifecycle.statuses),
  entity_type: oneOf(KYC_ENTITY_TYPES),
  /** Null, as the number is: erased. */
  legal_name: wordsOrNull(),
  country: words(),
  document_number: wordsOrNull(),
  document_expires_on: dateOrNull(),
  reasons: listOf(reasonShape),
  submitted_at: time(),
  decided_at: timeOrNull(),
  expires_at: timeOrNull(),
  erased_at: timeOrNull(),
};

/** For operators: where the files are to be had, beside what they are. */
const filedDocumentShape = record({
  id: idOf(),
  mime: words(),
  bytes: whole(),
  sha256: words(),
  created_at: time(),
  url: words(),
});

/** One round as an operator decides it, and those before it. */
export const kycRoundShape = record(
  {
    ...roundFields,
    documents: listOf(filedDocumentShape),
    history: listOf(record(roundFields)),
  },
  'KycRound',
);

export const presentKycDocument = (
  row: KycDocumentRow,
): yup.InferType<typeof kycDocumentShape> => ({
  id: row.id,
  mime: row.mime,
  bytes: row.bytes,
  sha256: row.sha256,
  created_at: row.createdAt.toISOString(),
});

const presentReasons = ({ reasons }: KycRound) =>
  (reasons ?? []).map(({ code, field, note }) => ({
    code,
    field: field ?? null,
    note: note ?? null,
  }));

/** As much of the number as its owner needs to recognise it. */
const maskedNumber = ({ documentNumberTail }: KycRound): string | null =>
  documentNumberTail === null ? null : `••••${documentNumberTail}`;

/** Before the first round there is nothing to show. */
const NO_ROUND = {
  round: null,
  entity_type: null,
  legal_name: null,
  country: null,
  document_number: null,
  document_expires_on: null,
  reasons: [],
  submitted_at: null,
  decided_at: null,
  expires_at: null,
  round_status: null,
};

export function presentKyc(
  status: KycStatus,
  [last, ...before]: readonly KycRound[],
  documents: readonly KycDocumentRow[],
): yup.InferType<typeof kycShape> {
  const standing = [last, ...before].find((round) => round?.status === 'APPROVED');
  const until = standing?.expiresAt ?? null;
  const shown = {
    kyc_status: status,
    documents: documents.map(presentKycDocument),
    valid_until: until?.toISOString() ?? null,
    renewable_from: until === null ? null : renewableFrom(until).toISOString(),
  };
  if (last === undefined) return { ...shown, ...NO_ROUND };
  const {
    id: _id,
    account_id: _account,
    erased_at: _erased,
    status: round_status,
    ...round
  } = presentOneRound(last);
  return { ...shown, ...round, round_status };
}

const presentOneRound = (row: KycRound) => ({
  id: row.id,
  account_id: row.accountId,
  round: row.round,
  status: row.status,
  entity_type: row.entityType,
  legal_name: row.legalName,
  country: row.country,
  document_number: maskedNumber(row),
  document_expires_on: row.documentExpiresOn,
  reasons: presentReasons(row),
  submitted_at: row.createdAt.toISOString(),
  decided_at: row.decidedAt?.toISOString() ?? null,
  expires_at: row.expiresAt?.toISOString() ?? null,
  erased_at: row.erasedAt?.toISOString() ?? null,
});

export function presentKycRound(
  row: KycRound,
  documents: readonly KycDocumentRow[],
  others: readonly KycRound[],
): yup.InferType<typeof kycRoundShape> {
  return {
    ...presentOneRound(row),
    documents: documents.map((document) => ({
      ...presentKycDocument(document),
      url: `/api/admin/kyc/documents/${document.id}`,
    })),
    history: others.map(presentOneRound),
  };
}
