import { inTransaction, runner } from '../db/postgres.ts';
import { invalid, notFound } from '../domain/errors.ts';
import { SETTINGS, type SettingKey } from '../domain/settings.ts';
import { recordAudit } from './audit.ts';
import type { ActivityDeps } from './deps.ts';
import { publishInventory } from './outbox.ts';

export interface PutSetting {
  key: string;
  value: unknown;
  operatorId: number;
  requestId?: string | undefined;
}

export function createSettingActivities(deps: ActivityDeps) {
  return {
    /**
     * Stores one operator setting; serving takes it up within a second. The same value twice is
     * harmless. Raises not_found for an unknown key, validation_failed for a value outside its rule.
     */
    putSetting: async (input: PutSetting): Promise<void> => {
      if (!isSettingKey(input.key)) throw notFound();
      const definition = SETTINGS[input.key];
      if (!definition.accepts(input.value)) {
        throw invalid({
          field: 'value',
          code: 'not_accepted',
          message: `must be ${definition.rule}`,
        });
      }
      await inTransaction(deps.db, async (tx) => {
        const sql = runner(deps.db, tx);
        const { rows } = await sql.query<{ value: unknown }>(
          'SELECT value FROM settings WHERE key = $1 FOR UPDATE',
          [input.key],
        );
        await sql.query(
          `INSERT INTO settings (key, value, updated_by, updated_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, updated_by = EXCLUDED.updated_by,
             updated_at = EXCLUDED.updated_at`,
          [input.key, JSON.stringify(input.value), input.operatorId, deps.clock()],
        );
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: input.operatorId },
          action: 'setting.put',
          subject: { type: 'setting', id: null },
          detail: { key: input.key, before: rows[0]?.value ?? null, after: input.value },
          requestId: input.requestId,
        });
        await publishInventory(deps.outbox, tx, { topic: 'settings' });
      });
    },
  };
}

const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key);
