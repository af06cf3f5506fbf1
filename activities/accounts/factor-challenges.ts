import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import { factorChallenges } from '../../db/tables/factor-challenge.ts';
import { invalid } from '../../domain/errors.ts';
import type { Person } from '../../domain/person.ts';
import {
  CHALLENGE_LIVES_MS,
  CHALLENGE_TRIES_MAX,
  type ChallengePurpose,
} from '../../domain/second-factor.ts';
import type { ActivityDeps } from '../deps.ts';
import { hashOfToken, newSecretToken } from './secret-tokens.ts';

export interface NewChallenge {
  purpose: ChallengePurpose;
  person: Person;
  /** Of the session that asks; null at a login. */
  tokenId: string | null;
  /** What a passkey signs. */
  challenge: string;
}

export interface Asked {
  ticket: string;
  purpose: ChallengePurpose;
  /** Absent at a login: the ticket says who it is. */
  person?: Person | undefined;
  tokenId: string | null;
}

const CHALLENGE = select(
  columnsOf(factorChallenges, 'c', ['id', 'personType', 'personId', 'challenge']),
);
export type Challenge = RowOf<typeof CHALLENGE>;

/** Answers the ticket, which only whoever asked gets to see. */
export async function openChallenge(
  deps: ActivityDeps,
  tx: Transaction,
  { purpose, person, tokenId, challenge }: NewChallenge,
): Promise<string> {
  const ticket = newSecretToken();
  await deps.db.models.factorChallenges.create(
    {
      ...person,
      purpose,
      challenge,
      ticketHash: hashOfToken(ticket),
      sessionTokenId: tokenId,
      expiresAt: new Date(deps.clock().getTime() + CHALLENGE_LIVES_MS),
    },
    { transaction: tx },
  );
  return ticket;
}

const LIVES = `c.ticket_hash = $1 AND c.purpose = $2 AND c.session_token_id IS NOT DISTINCT FROM $3
  AND ($4::text IS NULL OR (c.person_type = $4 AND c.person_id = $5::bigint))
  AND c.used_at IS NULL AND c.expires_at > $6 AND c.tries < ${CHALLENGE_TRIES_MAX}`;

const boundOf = (deps: ActivityDeps, { ticket, purpose, person, tokenId }: Asked) => [
  hashOfToken(ticket),
  purpose,
  tokenId,
  person?.personType ?? null,
  person?.personId ?? null,
  deps.clock(),
];

/** Uses a challenge up, whatever comes of it: of two with one ticket, one gets it. Raises validation_failed. */
export async function takeChallenge(deps: ActivityDeps, asked: Asked): Promise<Challenge> {
  return await updated(deps, asked, 'used_at = $6, tries = tries + 1');
}

/** Counts a try at a challenge that may be tried again, such as a code that was mistyped. */
export async function tryChallenge(deps: ActivityDeps, asked: Asked): Promise<Challenge> {
  return await updated(deps, asked, 'tries = tries + 1');
}

/** Committed before the answer is looked at: a crash does not give a try back. */
async function updated(deps: ActivityDeps, asked: Asked, set: string): Promise<Challenge> {
  return await inTransaction(deps.db, async (tx) => {
    const found = await readRow(
      runner(deps.db, tx),
      CHALLENGE,
      `UPDATE factor_challenges c SET ${set} WHERE ${LIVES} RETURNING ${CHALLENGE.list}`,
      boundOf(deps, asked),
    );
    if (found === undefined) {
      throw invalid({
        field: 'ticket',
        code: 'not_valid',
        message: 'is used, too old, or not ours',
      });
    }
    return found;
  });
}

/** Answered: it is used up. Another request may have used it meanwhile: answers whether this one did. */
export async function useChallenge(
  deps: ActivityDeps,
  tx: Transaction,
  { id }: Challenge,
): Promise<boolean> {
  const { rows } = await runner(deps.db, tx).query(
    'UPDATE factor_challenges SET used_at = $2 WHERE id = $1 AND used_at IS NULL RETURNING id',
    [id, deps.clock()],
  );
  return rows.length > 0;
}
