import { createHash } from 'node:crypto';
import { Router } from 'express';
import { PLATFORM_CURRENCY } from '../../activities/core/ledger.ts';
import { readStatusFile } from '../../activities/providers/bank-status-file.ts';
import { REMARK_OUTCOMES } from '../../activities/withdrawals/bank-remarks.ts';
import { invalid } from '../../domain/errors.ts';
import { BANK_STATUSES } from '../../domain/payout-status.ts';
import type { ConsoleDeps } from '../deps.ts';
import { requestIdOf } from '../http/request-id.ts';
import { flag, idOf, listOf, oneOf, record, words, wordsOrNull } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { uploadOf } from '../http/upload.ts';

const BYTES_MAX = 1024 * 1024;
const statusFileShape = record(
  {
    id: idOf(),
    kind: oneOf(['PAIN002', 'CAMT054'] as const),
    /** It was here before: nothing is counted again. */
    repeated: flag(),
    remarks: listOf(
      record({
        withdrawal_id: idOf(),
        reference: words(),
        status: oneOf(BANK_STATUSES),
        code: words(),
        reason: wordsOrNull(),
        words: wordsOrNull(),
        outcome: oneOf(REMARK_OUTCOMES),
        /** The bank has it in this file, which was taken back: it may be paid twice. */
        old_file: wordsOrNull(),
      }),
    ),
  },
  'PayoutStatusFile',
);

type Told = Awaited<ReturnType<ConsoleDeps['activities']['importStatusFile']>>['remarks'][number];

const presentRemark = ({
  reference,
  status,
  code,
  reason,
  words: said,
  outcome,
  oldFile,
}: Told) => ({
  withdrawal_id: Number(reference.slice('WD-'.length)),
  reference,
  status,
  code,
  reason,
  words: said,
  outcome,
  old_file: oldFile,
});

/** /api/admin/payout-status-files: what the bank says of orders that were carried to it. */
export function payoutStatusRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.post(
    '/',
    route(
      {
        rule: 'interface 5.2, 5.12',
        roles: 'money',
        summary:
          'Upload what the bank says of its orders, as pain.002 or camt.054; a booked debit pays',
        upload: { bytesMax: BYTES_MAX },
        answer: statusFileShape,
        statuses: [200, 201],
      },
      async ({ caller, req, res }) => {
        const { bytes, name } = uploadOf(req);
        const today = deps.clock().toISOString().slice(0, 10);
        const file = readStatusFile(bytes, { currency: PLATFORM_CURRENCY, today });
        if ('faults' in file) throw invalid(...file.faults);
        const { fileId, repeated, remarks } = await deps.activities.importStatusFile({
          file,
          fileName: name,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          operatorId: caller.id,
          requestId: requestIdOf(req),
        });
        if (!repeated) res.status(201);
        return { id: fileId, kind: file.kind, repeated, remarks: remarks.map(presentRemark) };
      },
    ),
  );
  return router;
}
