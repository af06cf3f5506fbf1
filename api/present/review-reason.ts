import type * as yup from 'yup';
import type { Texts } from '../../domain/reason.ts';
import type { CodedReason, reasonsForOwner } from '../../domain/review-reasons.ts';
import { TASK_KINDS, type TaskKind } from '../../domain/lifecycle/task.ts';
import { TASK_SUBJECTS } from '../../domain/task-rules.ts';
import { listOf, oneOf, record, words } from '../http/response-shapes.ts';

const textsShape = () => record({ en: words(), zh: words() });

const reasonFields = {
  code: words(),
  /** `RETRY`: it may be mended and asked for again. `FINAL`: asking again changes nothing. */
  kind: oneOf(['FINAL', 'RETRY']),
  title: textsShape(),
  /** For the owner: what to do next. */
  text: textsShape(),
};

export const reviewReasonsShape = record(
  {
    items: listOf(
      record(
        { task_kind: oneOf(TASK_KINDS), ...reasonFields, guidance: textsShape() },
        'RejectionReason',
      ),
    ),
  },
  'RejectionReasons',
);

export const ownReviewReasonsShape = record(
  {
    items: listOf(
      record({ subject_type: oneOf(TASK_SUBJECTS), ...reasonFields }, 'OwnRejectionReason'),
    ),
  },
  'OwnRejectionReasons',
);

const inBoth = ({ en, zh }: Texts) => ({ en, zh });

const presentReason = ({ code, kind, title, text }: CodedReason) => ({
  code,
  kind,
  title: inBoth(title),
  text: inBoth(text),
});

export const presentReviewReason = (
  taskKind: TaskKind,
  reason: CodedReason,
): yup.InferType<typeof reviewReasonsShape>['items'][number] => ({
  task_kind: taskKind,
  ...presentReason(reason),
  guidance: inBoth(reason.guidance),
});

export const presentOwnReviewReason = (
  reason: ReturnType<typeof reasonsForOwner>[number],
): yup.InferType<typeof ownReviewReasonsShape>['items'][number] => ({
  subject_type: reason.subjectType,
  ...presentReason(reason),
});
