import * as yup from 'yup';
import { type DomainError, ERRORS, type ErrorToken } from '../../domain/errors.ts';
import { amount, BUDGET_RULE, id } from './fields.ts';
import {
  flag,
  idOf,
  listOf,
  oneOf,
  oneOfOrNull,
  record,
  whole,
  words,
  wordsOrNull,
} from './response-shapes.ts';

const BULK_MAX = 100;

/** Of each action, what `value` it takes. */
export type BulkValues = Readonly<Record<string, 'none' | 'amount' | 'amount_or_null' | 'budget'>>;

/** The same done to several things (interface 2.1): up to 100 ids, one write against the limit. */
export const bulkBody = (values: BulkValues) =>
  yup
    .object({
      action: yup.string().oneOf(Object.keys(values)).required(),
      ids: yup.array().of(id().required()).min(1).max(BULK_MAX).required(),
      value: amount().nullable(),
      dry_run: yup.boolean(),
    })
    .test('value', (body, context) => {
      const takes = Object.hasOwn(values, body.action ?? '') ? values[body.action] : undefined;
      if (takes === undefined) return true;
      const fault = faultOf(takes, body.value);
      return fault === undefined || context.createError({ path: 'value', ...fault });
    });

function faultOf(takes: BulkValues[string], value: number | null | undefined) {
  if (takes === 'none') {
    if (value === undefined) return undefined;
    return { type: 'not_for_action', message: 'this action takes no value' };
  }
  if (value === undefined || (value === null && takes === 'amount')) {
    return { type: 'required', message: 'this action needs a value' };
  }
  if (takes === 'budget' && value === 0) return { type: 'min', message: BUDGET_RULE };
  return undefined;
}

const TOKENS = Object.keys(ERRORS) as ErrorToken[];

export const bulkItemShape = record({
  id: idOf(),
  error: oneOfOrNull(TOKENS),
  message: wordsOrNull(),
  errors: listOf(record({ field: words(), code: words(), message: words() })),
});

/** Each answers for itself; `error` is the refusal's token, null of what was done. */
export const bulkShape = (values: BulkValues) =>
  record({
    action: oneOf(Object.keys(values)),
    dry_run: flag(),
    items: listOf(bulkItemShape),
    done: whole().min(0),
    failed: whole().min(0),
  });

export function presentBulk(
  { action, dry_run: isRehearsal }: { action: string; dry_run?: boolean | undefined },
  outcomes: readonly { id: number; refusal: DomainError | null }[],
) {
  return { action, dry_run: isRehearsal ?? false, ...presentBulkItems(outcomes) };
}

export function presentBulkItems(outcomes: readonly { id: number; refusal: DomainError | null }[]) {
  const items = outcomes.map(({ id: of, refusal }) => ({
    id: of,
    error: refusal?.token ?? null,
    message: refusal?.message ?? null,
    errors: refusal?.errors ?? [],
  }));
  const done = items.filter(({ error }) => error === null).length;
  return { items, done, failed: items.length - done };
}
