import {
  type Client,
  isGrpcServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { Logger } from 'pino';
import { type Db, runner } from '../../db/postgres.ts';
import { noticesOf, type Redis } from '../../db/redis.ts';
import { columnsOf, readRows, type RowOf, select } from '../../db/schema/selection.ts';
import { outbox } from '../../db/tables/outbox-message.ts';
import { startExecution } from './flow-start.ts';
import type { OutboxMessage } from './outbox.ts';
import { traced } from './traces.ts';

/** `refused`: the flow's validator said no, for good. `deferred`: tried again later. */
export type DispatchOutcome =
  | { state: 'done'; result?: unknown }
  | { state: 'refused'; message: string }
  | { state: 'deferred'; error: string };

export interface Dispatcher {
  /** Delivers one row now, within the deadline. Safe beside the poller: every message is harmless twice. */
  dispatch(outboxId: number): Promise<DispatchOutcome>;
  /** Delivers rows that are due; answers how many were taken. */
  dispatchDue(limit: number): Promise<number>;
}

export interface DispatcherDeps {
  db: Db;
  redis: Redis;
  temporal: Client;
  log: Logger;
  /** An Update that its flow refused; marks the decision so that another may be sent. */
  onUpdateRefused: (input: object, message: string) => Promise<void>;
}

const RPC_DEADLINE_MS = 3_000;
/** So long after its receiver came back a message is delivered at the latest. */
const RETRY_MAX_SECONDS = 60;
/** Only of a notice to serving, which reloads everything anyway: a message to a flow is kept for ever. */
const NOTICE_DEAD_AFTER_HOURS = 24;

const DUE = select(columnsOf(outbox, 'outbox', ['id', 'kind', 'payload', 'trace']));
type DueMessage = RowOf<typeof DUE>;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  return {
    async dispatch(outboxId) {
      const [row] = await claim(deps.db, 'id = $1', outboxId, 1);
      return row === undefined ? { state: 'done' } : await deliverRow(deps, row);
    },
    async dispatchDue(limit) {
      const rows = await claim(deps.db, 'next_at <= now() AND $1::int = 0', 0, limit);
      await Promise.all(rows.map((row) => deliverRow(deps, row)));
      return rows.length;
    },
  };
}

/** Taking a row pushes its next attempt out, so a crash mid-delivery only delays it. */
async function claim(db: Db, where: string, bound: number, limit: number): Promise<DueMessage[]> {
  return await readRows(
    runner(db),
    DUE,
    `UPDATE outbox SET attempts = attempts + 1,
       next_at = now() + make_interval(secs => LEAST(${RETRY_MAX_SECONDS}, 5 * 2 ^ LEAST(attempts, 10)))
     WHERE id IN (SELECT id FROM outbox WHERE ${where} AND done_at IS NULL AND dead_at IS NULL
                  ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING ${DUE.list}`,
    [bound, limit],
  );
}

async function deliverRow(deps: DispatcherDeps, row: DueMessage): Promise<DispatchOutcome> {
  const sql = runner(deps.db);
  const message = { kind: row.kind, payload: row.payload } as OutboxMessage;
  const outcome = await traced(
    message.kind === 'publish' ? null : row.trace,
    spanOf(message),
    async () => await deliver(deps, message),
  );
  if (outcome.state === 'deferred') {
    deps.log.warn(
      { outbox_id: row.id, kind: row.kind, error: outcome.error },
      'outbox delivery deferred',
    );
    await sql.query(
      `UPDATE outbox SET last_error = $2, dead_at = CASE WHEN kind = 'publish'
         AND created_at < now() - interval '${NOTICE_DEAD_AFTER_HOURS} hours' THEN now() END
       WHERE id = $1`,
      [row.id, outcome.error],
    );
    return outcome;
  }
  if (outcome.state === 'refused' && row.kind === 'workflow_update') {
    const { input } = row.payload as { input: object };
    await deps.onUpdateRefused(input, outcome.message);
  }
  await sql.query('UPDATE outbox SET done_at = now(), last_error = $2 WHERE id = $1', [
    row.id,
    outcome.state === 'refused' ? outcome.message : null,
  ]);
  return outcome;
}

/** By the flow's type or the message's name: `workflow_start depositWorkflow`. */
function spanOf({ kind, payload }: OutboxMessage): Parameters<typeof traced>[1] {
  const [what] = ['type', 'signal', 'update'].flatMap((name) =>
    name in payload ? [String(payload[name as keyof typeof payload])] : [],
  );
  const workflowId = 'workflowId' in payload ? payload.workflowId : '';
  return { name: `${kind} ${what ?? ''}`, attributes: { 'temporal.workflow.id': workflowId } };
}

async function deliver(deps: DispatcherDeps, message: OutboxMessage): Promise<DispatchOutcome> {
  try {
    if (message.kind === 'publish') {
      // With Redis away nothing is lost: a serving process reloads everything when it is back.
      if (deps.redis.isReady) {
        await deps.redis.publish(noticesOf(deps.redis), JSON.stringify(message.payload));
      }
      return { state: 'done' };
    }
    return await deps.temporal.withDeadline(Date.now() + RPC_DEADLINE_MS, () =>
      deliverToTemporal(deps.temporal, message),
    );
  } catch (error) {
    return { state: 'deferred', error: error instanceof Error ? error.message : String(error) };
  }
}

async function deliverToTemporal(
  temporal: Client,
  message: Exclude<OutboxMessage, { kind: 'publish' }>,
): Promise<DispatchOutcome> {
  switch (message.kind) {
    case 'workflow_start': {
      const { again = false, wake, ...start } = message.payload;
      await startExecution(temporal, start, { again, wake });
      return { state: 'done' };
    }
    case 'workflow_signal': {
      const { workflowId, signal, input } = message.payload;
      const handle = temporal.workflow.getHandle(workflowId);
      return await unlessEnded(temporal, workflowId, async () =>
        input === undefined ? await handle.signal(signal) : await handle.signal(signal, input),
      );
    }
    case 'workflow_cancel': {
      const { workflowId } = message.payload;
      const handle = temporal.workflow.getHandle(workflowId);
      return await unlessEnded(temporal, workflowId, async () => await handle.cancel());
    }
    case 'workflow_update': {
      const { workflowId, update, updateId, input } = message.payload;
      try {
        const result = await temporal.workflow
          .getHandle(workflowId)
          .executeUpdate(update, { updateId, args: [input] });
        return { state: 'done', result };
      } catch (error) {
        if (error instanceof WorkflowUpdateFailedError) {
          return { state: 'refused', message: error.cause?.message ?? error.message };
        }
        if (error instanceof WorkflowNotFoundError && (await hasEnded(temporal, workflowId))) {
          return { state: 'refused', message: 'This flow has ended.' };
        }
        throw error;
      }
    }
  }
}

/** A flow that has ended no longer needs the news; one that has not begun does. */
async function unlessEnded(
  temporal: Client,
  workflowId: string,
  tell: () => Promise<unknown>,
): Promise<DispatchOutcome> {
  try {
    await tell();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError) || !(await hasEnded(temporal, workflowId))) {
      throw error;
    }
  }
  return { state: 'done' };
}

async function hasEnded(temporal: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await temporal.workflow.getHandle(workflowId).describe();
    return status.name !== 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isGrpcServiceError(error)) return false;
    throw error;
  }
}
