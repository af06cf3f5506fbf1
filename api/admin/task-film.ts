import type { Router } from 'express';
import type * as yup from 'yup';
import { readVast } from '../../activities/providers/vast-source.ts';
import { conflict } from '../../domain/errors.ts';
import type { OperatorRole } from '../../domain/operator.ts';
import type { ConsoleDeps } from '../deps.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route } from '../http/route.ts';
import type { creativeRevisionShape } from '../present/creative.ts';
import { filmChainShape, presentFilmChain } from '../present/film.ts';
import { taskDetail, type Viewer } from './task-detail.ts';
import { readableTask, viewerOf } from './task-page.ts';

/** Each operator asks; whose film it is to look at follows their role, as reading its task does. */
const EVERYBODY: readonly OperatorRole[] = ['REVIEWER', 'FINANCE', 'SUPPORT'];
/** What shows a creative. */
const WITH_CREATIVE: ReadonlySet<string> = new Set(['creative', 'ad']);

/** interface 5.2: what a player would be given now, where another server has the film. */
export function addTaskFilm(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/:id/film',
    route(
      {
        summary: 'Follow the wrappers of a film that another server has, to what it answers now',
        rule: 'interface 5.2',
        roles: EVERYBODY,
        refusals: ['state_conflict'],
        answer: filmChainShape,
      },
      async ({ id: taskId, caller, req }) => {
        const address = await firstAddress(deps, taskId, viewerOf({ caller, req }));
        const chain = await deps.activities.followFilm({
          taskId,
          operatorId: caller.id,
          address,
          requestId: requestIdOf(req),
        });
        return presentFilmChain(chain);
      },
    ),
  );
}

/** Of the revision that the task's page shows. Raises as readableTask, and state_conflict. */
async function firstAddress(deps: ConsoleDeps, taskId: number, viewer: Viewer): Promise<string> {
  const task = await readableTask(deps, taskId, viewer);
  const { revision } = WITH_CREATIVE.has(task.subjectType)
    ? await taskDetail(deps, task, viewer)
    : { revision: null };
  const address = revision === null ? null : elsewhereOf(revision);
  if (address === null) throw conflict('No other server has a film of this task.');
  return address;
}

/** Null where there is no film, or where it stands in the revision itself. */
function elsewhereOf({
  video_media_id: own,
  vast_xml: document,
  vast_url: address,
}: yup.InferType<typeof creativeRevisionShape>): string | null {
  if (own !== null) return null;
  if (document === null || document === '') return address;
  const reading = readVast(document);
  return reading.ok && reading.source.kind === 'wrapper' ? reading.source.tagUrl : null;
}
