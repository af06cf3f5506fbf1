import type { Transaction } from 'sequelize';
import { inTransaction } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import type { Json } from '../../db/tables/json.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import { SETTINGS, type SettingKey } from '../../domain/settings.ts';
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
     * harmless. Raises not_found for an unknown key, validation_failed for a value outside its rule,
     * and precondition_failed when another operator was faster.
     */
    putSetting: async (input: PutSetting): Promise<void> => {
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
      await inTransaction(deps.db, async (tx) => {
        const setting = await lockSetting(deps, tx, key);
        expectVersion(input.ifMatch, setting.version);
        const before = setting.version === 0 ? null : setting.value;
        await setting.update(
          {
            value: input.value as Json,
            updatedBy: input.operatorId,
            updatedAt: deps.clock(),
            version: setting.version + 1,
          },
          // So that `updatedAt` is what is said here.
          { transaction: tx, silent: true },
        );
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: input.operatorId },
          action: 'setting.put',
          subject: { type: 'setting', id: null },
          detail: { key, before, after: input.value },
          requestId: input.requestId,
        });
        await publishInventory(deps.outbox, tx, { topic: 'settings' });
      });
    },
  };
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

const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key);
