import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { HISTORY_SUBJECTS, type HistoryEntry, listHistory } from '../../db/queries/history.ts';
import type { ConsoleDeps } from '../deps.ts';
import { day, id } from '../http/fields.ts';
import {
  cursorFields,
  cursorPageOf,
  pageOf,
  presentCursorPage,
  windowOf,
} from '../http/pagination.ts';
import {
  anything,
  idOf,
  idOrNullOf,
  listOf,
  oneOf,
  record,
  time,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { reviewReasonShape } from '../present/inventory.ts';

const listQuery = yup.object({
  ...cursorFields,
  subject_type: yup.string().oneOf(HISTORY_SUBJECTS),
  subject_id: id(),
  start_date: day(),
  end_date: day(),
});

const entryShape = record(
  {
    id: idOf(),
    /** The account itself, or the platform, whoever it was there. */
    by: oneOf(['account', 'platform']),
    /** Of the account: a member, or its owner; null is somebody of the platform. */
    person: record({ name: wordsOrNull(), email: words() }).nullable(),
    action: words(),
    subject: record({ type: words(), id: idOrNullOf(), name: wordsOrNull() }),
    changes: listOf(record({ field: words(), before: anything(), after: anything() })),
    reasons: listOf(reviewReasonShape),
    created_at: time(),
  },
  'HistoryEntry',
);

/** interface 5.8: what was done to an account and its records. Mounted in both tenants' realms. */
export function historyRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'List what changed in your account, newest first',
        rule: 'interface 5.8',
        query: listQuery,
        answer: cursorPageOf(entryShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listHistory(runner(deps.db), {
          accountId: caller.id,
          subjectType: query.subject_type,
          subjectId: query.subject_id,
          startDate: query.start_date,
          endDate: query.end_date,
          cursor: query.cursor,
          ...windowOf(page, query.cursor),
        });
        return presentCursorPage(items.map(presentEntry), total, page);
      },
    ),
  );
  return router;
}

const presentEntry = (row: HistoryEntry): yup.InferType<typeof entryShape> => ({
  id: row.id,
  by: row.actorType === 'ACCOUNT' ? 'account' : 'platform',
  person: row.personEmail === null ? null : { name: row.personName, email: row.personEmail },
  action: row.action,
  subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName },
  changes: (row.changes ?? []).map(({ field, before, after }) => ({
    field,
    before: before ?? null,
    after: after ?? null,
  })),
  reasons: row.reasons ?? [],
  created_at: row.createdAt.toISOString(),
});
