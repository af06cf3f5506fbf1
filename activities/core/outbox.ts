import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { type Db, runner } from '../../db/postgres.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import type { InventoryChange } from '../../db/serving/snapshot-store.ts';
import { outbox } from '../../db/tables/outbox-message.ts';
import type { StartAttributes } from '../../workflows/contracts/search-attributes.ts';
import type { FlowStart } from '../../workflows/contracts/queues.ts';
import { currentTrace } from './traces.ts';

/**
 * What must happen outside the database because of a committed write. The row commits with the
 * write; delivery is at least once and every message is harmless twice.
 */
export type OutboxMessage =
  | {
      kind: 'workflow_start';
      dedupeKey: string;
      /** `again`: also where its flow has ended, because its row is open once more. */
      /** `wake`: told to the flow, also to one that is about to end. */
      payload: FlowStart & { again?: boolean; wake?: string };
    }
  | {
      kind: 'workflow_signal';
      dedupeKey: string;
      payload: { workflowId: string; signal: string; input?: object };
    }
  | {
      kind: 'workflow_update';
      dedupeKey: string;
      payload: { workflowId: string; update: string; updateId: string; input: object };
    }
  | {
      /** For a flow whose row has ended: what it still does is stopped. */
      kind: 'workflow_cancel';
      dedupeKey: string;
      payload: { workflowId: string };
    }
  | { kind: 'publish'; dedupeKey: string; payload: InventoryChange };

/** Called with the row's id after the transaction has committed; must not throw. */
export type OutboxNotice = (outboxId: number) => void;

export interface Outbox {
  /** Writes the message in the caller's transaction; answers its id, also when it was there before. */
  enqueue(tx: Transaction, message: OutboxMessage): Promise<number>;
}

const WRITTEN = select(columnsOf(outbox, 'outbox', ['id']));

export function createOutbox(db: Db, onCommitted: OutboxNotice): Outbox {
  return {
    async enqueue(tx, message) {
      const row = await readRow(
        runner(db, tx),
        WRITTEN,
        `INSERT INTO outbox (kind, dedupe_key, payload, trace, next_at) VALUES ($1, $2, $3, $4, now() + interval '2 seconds')
         ON CONFLICT (dedupe_key) DO UPDATE SET dedupe_key = EXCLUDED.dedupe_key RETURNING ${WRITTEN.list}`,
        [message.kind, message.dedupeKey, JSON.stringify(message.payload), currentTrace()],
      );
      if (row === undefined) throw new Error('outbox row was not written');
      const { id } = row;
      // An Update's caller wants its outcome and dispatches it itself; the poller is behind both.
      if (message.kind !== 'workflow_update') tx.afterCommit(() => onCommitted(id));
      return id;
    },
  };
}

/**
 * Beside the row that the flow is about, in its transaction. The same flow twice is one. `about` is what
 * lists are filtered by and the flow's input does not say.
 */
export async function startFlow(
  { outbox: messages }: { outbox: Outbox },
  tx: Transaction,
  start: FlowStart,
  about: Pick<StartAttributes, 'accountId' | 'amountBand'> = {},
): Promise<void> {
  await messages.enqueue(tx, {
    kind: 'workflow_start',
    dedupeKey: `start:${start.workflowId}`,
    payload: { ...start, attributes: { ...start.attributes, ...about } },
  });
}

/**
 * Of a row whose flow has ended and that waits once more. One that still runs is woken by its signal `wake`, for it may
 * have read before this that nothing is left to do; delivered twice, the second flow reads the row as the first
 * has left it. `why` names the reason, once.
 */
export async function startFlowAgain(
  { outbox: messages }: { outbox: Outbox },
  tx: Transaction,
  { why, ...start }: FlowStart & { why: string; wake: string },
  about: Pick<StartAttributes, 'accountId' | 'amountBand'>,
): Promise<void> {
  await messages.enqueue(tx, {
    kind: 'workflow_start',
    dedupeKey: `start:${start.workflowId}:${why}`,
    payload: { ...start, attributes: { ...start.attributes, ...about }, again: true },
  });
}

/** Serving picks the change up within a second. Each change is a message of its own. */
export async function publishInventory(
  outbox: Outbox,
  tx: Transaction,
  change: InventoryChange,
): Promise<void> {
  await outbox.enqueue(tx, {
    kind: 'publish',
    dedupeKey: `publish:${randomUUID()}`,
    payload: change,
  });
}
