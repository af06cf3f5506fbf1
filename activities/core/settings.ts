import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
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
        const before = await lockSetting(deps, tx, key);
        expectVersion(input.ifMatch, before.version);
        await runner(deps.db, tx).query(
          `UPDATE settings SET value = $2, updated_by = $3, updated_at = $4, version = version + 1
           WHERE key = $1 RETURNING key`,
          [key, JSON.stringify(input.value), input.operatorId, deps.clock()],
        );
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: input.operatorId },
          action: 'setting.put',
          subject: { type: 'setting', id: null },
          detail: { key, before: before.value, after: input.value },
          requestId: input.requestId,
        });
        await publishInventory(deps.outbox, tx, { topic: 'settings' });
      });
    },
  };
}

/**
 * The row of a setting that nobody has set is written first, as version 0 with its default: only a
 * row can be locked, and two first writes at once must stand in line. Its `value` is null then.
 */
async function lockSetting(
  deps: ActivityDeps,
  tx: Transaction,
  key: SettingKey,
): Promise<{ value: unknown; version: number }> {
  const sql = runner(deps.db, tx);
  await sql.query(
    `INSERT INTO settings (key, value, version) VALUES ($1, $2, 0) ON CONFLICT (key) DO NOTHING
     RETURNING key`,
    [key, JSON.stringify(SETTINGS[key].default)],
  );
  const { rows } = await sql.query<{ value: unknown; version: number }>(
    'SELECT value, version FROM settings WHERE key = $1 FOR UPDATE',
    [key],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`setting ${key} vanished`);
  return row.version === 0 ? { value: null, version: 0 } : row;
}

const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key);
