import { inTransaction } from '../../db/postgres.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';

export function createDecodingActivities(deps: ActivityDeps) {
  return {
    /** An operator reads on Temporal's pages what flows were given and have answered. */
    async recordDecoding(reading: {
      operatorId: number;
      payloads: number;
      requestId: string | undefined;
    }): Promise<void> {
      const { operatorId, payloads, requestId } = reading;
      await inTransaction(deps.db, async (tx) => {
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: operatorId },
          action: 'flow.decode',
          subject: { type: 'flow', id: null },
          detail: { payloads },
          requestId,
        });
      });
    },
  };
}
