import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'sequelize';
import type { Db } from '../../db/postgres.ts';
import { sqlName, type Table } from '../../db/schema/table.ts';
import type { FieldChange } from '../../db/tables/audit-entry.ts';
import type { ReviewReason } from '../../db/tables/json.ts';
import { presentAmount } from '../../domain/money.ts';
import { recordAudit } from './audit.ts';

/** Longer texts are cut: a history shows what was changed, it is no second store of it. */
const TEXT_MAX = 200;

/** A person's own words and addresses that may hold a secret: that they changed is all that is kept. */
const VALUELESS: ReadonlySet<string> = new Set([
  'nickname',
  'mobile',
  'company_name',
  'contact_name',
  'postback_url',
  'reward_callback_url',
]);

export interface OwnChange {
  accountId: number;
  /** The account itself unless it says otherwise; null is the platform without a person. */
  by?: { operatorId: number | null };
  /** `noun.verb`, such as `campaign.update`. */
  action: string;
  subject: { type: string; id: number };
  changes?: FieldChange[];
  reasons?: ReviewReason[] | null;
  requestId?: string | undefined;
}

/** One line of an account's history, in the audit log and in the transaction of what it tells. */
export async function recordOwn(db: Db, tx: Transaction, change: OwnChange): Promise<void> {
  const { accountId, by, action, subject, changes = [], reasons, requestId } = change;
  const operatorId = by?.operatorId ?? null;
  await recordAudit(db, tx, {
    actor:
      by === undefined
        ? { type: 'ACCOUNT', id: accountId }
        : { type: operatorId === null ? 'SYSTEM' : 'OPERATOR', id: operatorId },
    accountId,
    action,
    subject,
    detail: {
      ...(changes.length === 0 ? {} : { changes }),
      ...(reasons === undefined || reasons === null ? {} : { reasons }),
    },
    requestId,
  });
}

/** What of these columns differs, by its names on the wire and as the wire shows it. */
export function changesBetween(
  of: Table,
  names: readonly string[],
  { before, after }: { before: object; after: object },
): FieldChange[] {
  return names.flatMap((name) => {
    const [from, to] = [shown(read(before, name)), shown(read(after, name))];
    if (isDeepStrictEqual(from, to)) return [];
    const field = sqlName(of, name).replace(/_nanos$/, '');
    return [VALUELESS.has(field) ? { field } : { field, before: cut(from), after: cut(to) }];
  });
}

const read = (values: object, name: string): unknown =>
  (values as Readonly<Record<string, unknown>>)[name];

/** A record's columns as they are now, to be compared after it was changed. */
export const valuesOf = (
  record: object,
  names: readonly string[],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name) => [name, read(record, name)]));

function shown(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return presentAmount(value);
  return value instanceof Date ? value.toISOString() : value;
}

const cut = (value: unknown): unknown =>
  typeof value === 'string' && value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value;

/** `status` went from one word to another. */
export const statusChange = (before: string, after: string, field = 'status'): FieldChange[] => [
  { field, before, after },
];

/** What an owner did, by the status that a thing has now. */
export const OWNER_VERBS = { ACTIVE: 'resume', PAUSED: 'pause', ARCHIVED: 'archive' } as const;
