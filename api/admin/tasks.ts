import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { countTasks, listTasks, TASK_SORTS } from '../../db/queries/tasks.ts';
import { TASK_KINDS, TASK_STATUSES, type TaskKind } from '../../domain/lifecycle/task.ts';
import type { OperatorRole } from '../../domain/operator.ts';
import { readableKinds, TASK_SUBJECTS } from '../../domain/task-rules.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { id, text } from '../http/fields.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { route } from '../http/route.ts';
import {
  presentTask,
  presentTaskCounts,
  taskCountsShape,
  taskPageShape,
  taskShape,
} from '../present/task.ts';
import { addTaskFilm } from './task-film.ts';
import { addTaskLeases, addTaskMoves, addTaskNotes } from './task-moves.ts';
import { showTask, taskView, viewerOf } from './task-page.ts';

const KINDS_LENGTH_MAX = 400;
const isKind = (word: string): word is TaskKind => TASK_KINDS.some((kind) => kind === word);

/** Undefined when a word is no kind. */
function readKinds(value: string): TaskKind[] | undefined {
  const words = value.split(',').map((word) => word.trim());
  return words.every(isKind) ? words : undefined;
}

const listQuery = yup.object({
  ...pageFields,
  kind: yup.string().oneOf(TASK_KINDS),
  /** Several, as `site_review,zone_review`. */
  kinds: text(KINDS_LENGTH_MAX)
    .test('kinds', `must be some of: ${TASK_KINDS.join(', ')}`, (value) =>
      value === undefined ? true : readKinds(value) !== undefined,
    )
    .meta({ kind: 'word' }),
  status: yup.string().oneOf(TASK_STATUSES),
  /** An operator's id, `me`, or `none`. */
  assignee: yup.string().matches(/^(me|none|[1-9]\d{0,14})$/),
  /** `true`: assigned to you, or held by your lease. */
  mine: yup.string().oneOf(['true', 'false']),
  subject_type: yup.string().oneOf(TASK_SUBJECTS),
  subject_id: id(),
  /** The most urgent first is the default. */
  sort: yup.string().oneOf(TASK_SORTS),
});

const rule = 'interface 5.2';
/** Each operator asks; which kinds are seen follows their role (domain/task-rules.ts). */
const EVERYBODY: readonly OperatorRole[] = ['REVIEWER', 'FINANCE', 'SUPPORT'];

/** interface 5.2: the one queue of every human decision. */
export function taskRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addQueue(router, deps);
  addTaskLeases(router, deps);
  addTaskMoves(router, deps);
  addTaskNotes(router, deps);
  addTaskFilm(router, deps);
  return router;
}

function addQueue(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/',
    route(
      {
        summary: 'List decisions that wait for an operator, or were made; the most urgent first',
        rule,
        roles: EVERYBODY,
        query: listQuery,
        answer: pageOfItems(taskShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const mine = new Set(readableKinds(caller.role));
        const { items, total } = await listTasks(runner(deps.db), {
          kinds: kindsOf(query.kind, query.kinds).filter((kind) => mine.has(kind)),
          status: query.status,
          ...assigneeOf(query.assignee, caller.id),
          mineOf: query.mine === 'true' ? { operatorId: caller.id, now: deps.clock() } : undefined,
          subjectType: query.subject_type,
          subjectId: query.subject_id,
          sort: query.sort,
          limit: page.limit,
          offset: page.offset,
        });
        const view = taskView(deps);
        return presentPage(
          items.map((task) => presentTask(task, view)),
          total,
          page,
        );
      },
    ),
  );

  router.get(
    '/counts',
    route(
      {
        summary: "Count what is open of each kind that your role reads: overdue, yours, nobody's",
        rule,
        roles: EVERYBODY,
        answer: taskCountsShape,
      },
      async ({ caller }) => {
        const counts = await countTasks(runner(deps.db), {
          operatorId: caller.id,
          now: deps.clock(),
          kinds: readableKinds(caller.role),
        });
        return presentTaskCounts(counts, caller.role);
      },
    ),
  );

  router.get(
    '/:id',
    route(
      {
        summary: 'Show a task with what its decision needs',
        rule,
        roles: EVERYBODY,
        answer: taskPageShape,
      },
      async (ask) => await showTask(deps, ask.id, viewerOf(ask)),
    ),
  );
}

/** Both filters hold where both are given. */
function kindsOf(kind: TaskKind | undefined, list: string | undefined): readonly TaskKind[] {
  const kinds = (list === undefined ? undefined : readKinds(list)) ?? TASK_KINDS;
  return kind === undefined ? kinds : kinds.filter((each) => each === kind);
}

function assigneeOf(
  word: string | undefined,
  callerId: number,
): { unassigned?: boolean; assigneeId?: number } {
  if (word === undefined) return {};
  if (word === 'none') return { unassigned: true };
  return { assigneeId: word === 'me' ? callerId : Number(word) };
}
