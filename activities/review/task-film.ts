import { randomInt } from 'node:crypto';
import {
  answerOfSource,
  answerOfStatus,
  beginChain,
  fillPlayerMacros,
  type FilmChain,
  growChain,
  type HopAnswer,
} from '../../domain/creative/film-chain.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import type { SafeFetch } from '../providers/safe-fetch.ts';
import { readVast } from '../providers/vast-source.ts';

/** Of the whole chain: a person waits for it. */
const CHAIN_MS_MAX = 10_000;
/** Servers that name no type are read as well; what they sent is judged by what it is. */
const XML_TYPES = /^(?:$|(?:text|application)\/(?:[\w.-]+\+)?xml\b)/i;
const RANDOM_PARTS = 2 ** 32;

/** Looks at films that other servers have, for whoever decides about them. */
export function createTaskFilmActivities(deps: ActivityDeps) {
  return {
    /**
     * Follows the wrappers of a film from its first address. Only documents are asked for: no
     * impression, and nothing else that they wish to be told. Which operator had our server call
     * which address is in the audit log, before it does.
     */
    async followFilm(look: {
      taskId: number;
      operatorId: number;
      address: string;
      requestId: string;
    }): Promise<FilmChain> {
      const { taskId, operatorId, address, requestId } = look;
      await runStep(deps.db, 'task.film', async (tx) => {
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: operatorId },
          action: 'task.film',
          subject: { type: 'task', id: taskId },
          detail: { address },
          requestId,
        });
      });
      return await followWrappers(deps.providers.outbound.fetch, address, { clock: deps.clock });
    },
  };
}

/** Every hop that was asked, to the film or to the name of what is in the way. */
export async function followWrappers(
  fetch: SafeFetch,
  address: string,
  { clock, withinMs = CHAIN_MS_MAX }: { clock: () => Date; withinMs?: number },
): Promise<FilmChain> {
  const deadline = performance.now() + withinMs;
  let chain = beginChain(address);
  while (chain.next !== null) {
    const random = randomInt(RANDOM_PARTS) / RANDOM_PARTS;
    const asked = fillPlayerMacros(chain.next, { random, now: clock() });
    const leftMs = Math.floor(deadline - performance.now());
    chain = growChain(chain, leftMs > 0 ? await ask(fetch, asked, leftMs) : TOO_LATE);
  }
  return chain;
}

const TOO_LATE: HopAnswer = { outcome: 'refused', refusal: 'TIMEOUT', detail: null };

async function ask(fetch: SafeFetch, address: string, withinMs: number): Promise<HopAnswer> {
  const answer = await fetch(address, { types: XML_TYPES, withinMs });
  if (!answer.ok) return { outcome: 'refused', refusal: answer.reason, detail: null };
  const byStatus = answerOfStatus(answer.status);
  if (byStatus !== null) return byStatus;
  const reading = readVast(answer.body);
  if (reading.ok) return answerOfSource(reading.source);
  if (reading.fault === 'NO_AD') return { outcome: 'empty' };
  return { outcome: 'refused', refusal: reading.fault, detail: reading.reason };
}
