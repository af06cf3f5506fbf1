import { makeOperator } from '../support/make/account.ts';
import { pause } from '../support/until.ts';
import type { CrashStand } from './flow-crashes.ts';
import type { FlowSubject } from './flow-subjects.ts';
import { post } from './money-requests.ts';

/** A minute's worth of one operator's decisions. */
const DECISIONS_EACH = 40;
const LANES = 4;

/**
 * People who answer what they are asked, whatever lives and dies around them; `asked` says how many flows ask
 * somebody, where there are more to come than `subjects` has now.
 */
export function startOperators(
  stand: CrashStand,
  subjects: readonly FlowSubject[],
  asked: number = subjects.filter(({ decision }) => decision !== null).length,
): { stop(): Promise<void> } {
  const { world, platform } = stand;
  const { pool, db } = world.database;
  let isOver = false;
  let failure: unknown;
  const answer = async (): Promise<void> => {
    // None of them decides so often that the platform would have them wait.
    const enough = async (role: 'FINANCE' | 'REVIEWER'): Promise<string[]> =>
      await Promise.all(
        Array.from({ length: 1 + Math.floor(asked / DECISIONS_EACH) }, async () =>
          world.tokenOf('admin', (await makeOperator(db, role)).id),
        ),
      );
    const [finance, reviewers] = [await enough('FINANCE'), await enough('REVIEWER')];
    let turn = 0;
    const look = async (): Promise<void> => {
      const { rows } = await pool.query<{ id: string; kind: string; role: string; flow: string }>(
        `SELECT t.id, t.kind, t.required_role AS role, t.workflow_id AS flow FROM tasks t
         WHERE t.status = 'open' AND t.workflow_id = ANY($1) AND NOT EXISTS (
           SELECT FROM task_decisions d WHERE d.task_id = t.id AND d.status = 'PENDING')`,
        [subjects.map(({ workflowId }) => workflowId)],
      );
      await inLanes(rows, async ({ id, kind, role, flow }) => {
        turn += 1;
        const subject = subjects.find(({ workflowId }) => workflowId === flow);
        const said = subject?.decision ?? '';
        // Nobody finds that anything was paid; what is to go back is sent by hand.
        const decision =
          kind === 'payout_unknown'
            ? 'confirm_failed'
            : kind === 'deposit_refund' && said === 'refund'
              ? 'sent_back'
              : said;
        const told = await post(platform.baseUrl, {
          path: `/api/admin/tasks/${id}/decision`,
          token: (role === 'FINANCE' ? finance : reviewers)[turn % finance.length] ?? '',
          body: {
            decision,
            reasons: decision === 'reject' ? [{ code: 'OTHER', note: 'Not as agreed' }] : [],
            note: `task ${id}`,
          },
        });
        // Decided a moment ago, asked for too often, or something is away: they look again.
        const isLater = told.status === 409 || told.status === 429 || told.status >= 500;
        if (told.status >= 300 && !isLater) throw new Error(`task ${id}: ${told.text}`);
      });
    };
    while (!isOver) {
      try {
        await look();
      } catch (error) {
        if (!isAway(error)) throw error;
      }
      await pause(200, 'people look at their tasks now and then');
    }
  };
  const run = answer().catch((error: unknown) => {
    failure = error;
  });
  return {
    stop: async () => {
      isOver = true;
      await run;
      if (failure !== undefined) throw failure;
    },
  };
}

/** The API or its database does not answer, as while one of them is being started again. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = (error.cause ?? error) as { code?: string };
  const isCut =
    error.message.startsWith('Connection terminated') || error.message === 'fetch failed';
  return isCut || /^(?:ECONN\w+|57P0\d|08\w{3})$/.test(code);
}

/** All of them, a few at a time. */
async function inLanes<Item>(items: readonly Item[], run: (item: Item) => Promise<void>) {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
