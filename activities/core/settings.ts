import type { Transaction } from 'sequelize';
import { inTransaction } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import type { ApprovalRow } from '../../db/tables/approval.ts';
import type { Json } from '../../db/tables/json.ts';
import { governsMoney } from '../../domain/approvals.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import { isSettingKey, SETTINGS, type SettingKey } from '../../domain/settings.ts';
import { propose } from './approvals.ts';
import { recordAudit } from './audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { publishInventory } from './outbox.ts';

export interface PutSetting {
  key: string;
  value: unknown;
  operatorId: number;
  requestId?: string | undefined;
  /** Versions that the operator has seen; 0 before anybody set it. */
  ifMatch?: readonly number[] | undefined;
}

export function createSettingActivities(deps: ActivityDeps) {
  return {
    /**
     * Stores one operator setting; serving takes it up within a second. The same value twice is
     * harmless. One that governs money waits for another operator's approval, which the answer names, and
     * nothing changes before; the value that it has already asks for none. Raises not_found for an unknown key, validation_failed for a value outside its rule,
     * and precondition_failed when another operator was faster.
     */
    putSetting: async (input: PutSetting): Promise<{ approvalId: number | null }> => {
      const { key } = input;
      if (!isSettingKey(key)) throw notFound();
      const definition = SETTINGS[key];
      if (!definition.accepts(input.value)) {
        throw invalid({
          field: 'value',
          code: 'not_accepted',
          message: `must be ${definition.rule}`,
        });
      }
      return await inTransaction(deps.db, async (tx) => {
        if (governsMoney(key)) return { approvalId: await askFor(deps, tx, key, input) };
        const setting = await lockSetting(deps, tx, key);
        expectVersion(input.ifMatch, setting.version);
        await write(deps, tx, setting, input);
        return { approvalId: null };
      });
    },
  };
}

type Written = Pick<PutSetting, 'value' | 'operatorId' | 'requestId'>;

async function write(
  deps: ActivityDeps,
  tx: Transaction,
  setting: RecordOf<'settings'>,
  { value, operatorId, requestId }: Written,
): Promise<void> {
  const { key, version } = setting;
  const before = version === 0 ? null : setting.value;
  const now = deps.clock();
  setting.set({
    value: value as Json,
    updatedBy: operatorId,
    updatedAt: now,
    version: version + 1,
  });
  // So that `updatedAt` is what is said here.
  await setting.save({ transaction: tx, silent: true });
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: 'setting.put',
    subject: { type: 'setting', id: null },
    detail: { key, before, after: value },
    requestId,
  });
  await publishInventory(deps.outbox, tx, { topic: 'settings' });
}

async function askFor(
  deps: ActivityDeps,
  tx: Transaction,
  key: SettingKey,
  { value, operatorId: makerId, ifMatch, requestId }: PutSetting,
): Promise<number | null> {
  const stored = await deps.db.models.settings.findByPk(key, { transaction: tx });
  expectVersion(ifMatch, stored?.version ?? 0);
  if (value === (stored?.value ?? SETTINGS[key].default)) return null;
  const ask = { value, version: stored?.version ?? 0 };
  const { id } = await propose(deps, tx, { kind: 'setting', subject: key, ask, makerId });
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: makerId },
    action: 'setting.ask',
    subject: { type: 'setting', id: null },
    detail: { key, before: stored?.value ?? null, after: value, approval_id: id },
    requestId,
  });
  return id;
}

/** What another operator has approved; raises state_conflict when the setting has changed since it was asked for. */
export async function applySetting(
  deps: ActivityDeps,
  tx: Transaction,
  { subject, ask, makerId }: Pick<ApprovalRow, 'subject' | 'ask' | 'makerId'>,
  requestId: string,
): Promise<void> {
  const { settings } = deps.db.models;
  const found = await settings.findByPk(subject, { transaction: tx, lock: tx.LOCK.UPDATE });
  const setting =
    found ?? settings.build({ key: subject, value: ask['value'] as Json, version: 0 });
  if (setting.version !== ask['version']) {
    throw conflict('This setting has changed since; it must be asked for again.');
  }
  await write(deps, tx, setting, { value: ask['value'], operatorId: makerId ?? 0, requestId });
}

/**
 * The row of a setting that nobody has set is written first, as version 0 with its default: only a
 * row can be locked, and two first writes at once must stand in line.
 */
async function lockSetting(
  { db }: ActivityDeps,
  tx: Transaction,
  key: SettingKey,
): Promise<RecordOf<'settings'>> {
  await db.models.settings.bulkCreate([{ key, value: SETTINGS[key].default, version: 0 }], {
    ignoreDuplicates: true,
    transaction: tx,
  });
  const lock = { transaction: tx, lock: tx.LOCK.UPDATE };
  return await db.models.settings.findByPk(key, { ...lock, rejectOnEmpty: true });
}
