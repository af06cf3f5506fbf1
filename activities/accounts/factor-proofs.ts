import { randomBytes } from 'node:crypto';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import {
  findLoginById,
  type LoginKind,
  type LoginRow,
  personOf,
} from '../../db/queries/accounts.ts';
import { type PersonKey } from '../../db/queries/accounts.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { invalid } from '../../domain/errors.ts';
import type { Person } from '../../domain/person.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  type Challenge,
  openChallenge,
  takeChallenge,
  tryChallenge,
  useChallenge,
} from './factor-challenges.ts';
import { endRecoveries } from './recovery-ends.ts';
import { passkeyRequest, readPasskey, type RelyingParty } from './passkeys.ts';
import { hashOfToken } from './secret-tokens.ts';
import { tellPerson } from './security-letters.ts';
import { readTotp } from './totp.ts';
import type { Whereabouts } from './whereabouts.ts';

/** One of them is given. */
export interface Proof {
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: unknown;
}

/** What is asked of somebody who has a factor. */
export interface FactorQuestion {
  ticket: string;
  methods: ('totp' | 'passkey' | 'recovery_code')[];
  passkey: PublicKeyCredentialRequestOptionsJSON | null;
}

interface Answering {
  kind: LoginKind;
  ticket: string;
  proof: Proof;
  /** Null: passkeys are not possible where this is asked. */
  party: RelyingParty | null;
  from: Whereabouts;
}

type Factor = RecordOf<'factors'>;

export function createFactorProofActivities(deps: ActivityDeps) {
  return {
    /** Null: this person has no second factor. */
    async askForFactor(ask: {
      person: PersonKey;
      /** Of the session; null at a login. */
      tokenId: string | null;
      party: RelyingParty | null;
    }): Promise<FactorQuestion | null> {
      return await inTransaction(deps.db, async (tx) => {
        const person = personOf(ask.person);
        const factors = await confirmedFactors(deps, tx, person);
        if (factors.length === 0) return null;
        const credentials = factors.flatMap(({ credentialId, transports }) =>
          credentialId === null ? [] : [{ id: credentialId, transports }],
        );
        const passkey =
          ask.party === null || credentials.length === 0
            ? null
            : await passkeyRequest(ask.party, credentials);
        const ticket = await openChallenge(deps, tx, {
          purpose: ask.tokenId === null ? 'LOGIN' : 'STEP_UP',
          person,
          tokenId: ask.tokenId,
          challenge: passkey?.challenge ?? randomBytes(32).toString('base64url'),
        });
        const hasTotp = factors.some(({ kind }) => kind === 'TOTP');
        return {
          ticket,
          methods: [
            ...(hasTotp ? (['totp'] as const) : []),
            ...(passkey === null ? [] : (['passkey'] as const)),
            'recovery_code' as const,
          ],
          passkey,
        };
      });
    },

    /** Whom a ticket is of, so that tries can be counted per person. Uses nothing up. */
    async personOfTicket(ticket: string): Promise<string> {
      const found = await deps.db.models.factorChallenges.findOne({
        where: { ticketHash: hashOfToken(ticket) },
      });
      return found === null
        ? `nobody:${hashOfToken(ticket)}`
        : `${found.personType}:${found.personId}`;
    },

    /**
     * The second step of a login. Raises validation_failed for a ticket that is not good, and on the proof's
     * field for one that does not fit.
     */
    async answerLogin(answer: Answering): Promise<LoginRow> {
      const challenge = await answered(deps, { ...answer, purpose: 'LOGIN', tokenId: null });
      const login = await loginOf(deps, answer.kind, challenge);
      if (login === undefined) throw wrong(answer.proof);
      return login;
    },

    /** A factor shown again in a session that goes on; raises as answerLogin does. */
    async answerStepUp(answer: Answering & { person: PersonKey; tokenId: string }): Promise<void> {
      await answered(deps, { ...answer, purpose: 'STEP_UP' });
      await runner(deps.db).query(
        'UPDATE sessions SET proven_at = $2 WHERE token_id = $1 RETURNING id',
        [answer.tokenId, deps.clock()],
      );
    },
  };
}

const confirmedFactors = async (
  { db }: ActivityDeps,
  tx: Transaction,
  { personType, personId }: Pick<Person, 'personType' | 'personId'>,
): Promise<Factor[]> => {
  const factors = await db.models.factors.findAll({
    where: { personType, personId },
    order: [['id', 'ASC']],
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  return factors.filter(({ confirmedAt }) => confirmedAt !== null);
};

async function answered(
  deps: ActivityDeps,
  answer: Answering & { purpose: 'LOGIN' | 'STEP_UP'; person?: PersonKey; tokenId: string | null },
): Promise<Challenge> {
  const { proof, ticket, purpose, tokenId } = answer;
  const person = answer.person === undefined ? undefined : personOf(answer.person);
  const asked = { ticket, purpose, tokenId, person };
  // What a passkey signs is good for one answer; a code may be mistyped.
  const isPasskey = proof.passkey !== undefined && proof.passkey !== null;
  const challenge = await (isPasskey ? takeChallenge : tryChallenge)(deps, asked);
  const fits = await inTransaction(deps.db, async (tx) => {
    const factor = await provenBy(deps, tx, challenge, answer);
    if (factor === undefined) return false;
    // What is shown is not lost.
    await endRecoveries(deps, tx, challenge, 'FACTOR_SHOWN');
    return isPasskey || (await useChallenge(deps, tx, challenge));
  });
  if (!fits) throw wrong(proof);
  return challenge;
}

/** What was shown, used up so that it is not shown again; undefined when nothing fits. */
async function provenBy(
  deps: ActivityDeps,
  tx: Transaction,
  challenge: Challenge,
  { proof, party, kind, from }: Answering,
): Promise<'factor' | 'recovery_code' | undefined> {
  const now = deps.clock();
  const factors = await confirmedFactors(deps, tx, challenge);
  if (proof.passkey !== undefined && proof.passkey !== null) {
    const { id } = proof.passkey as { id?: unknown };
    const factor = factors.find(({ credentialId }) => credentialId !== null && credentialId === id);
    if (factor === undefined || party === null) return undefined;
    const count = await readPasskey(proof.passkey, challenge.challenge, { party, factor });
    if (count === undefined) return undefined;
    await factor.update({ signCount: count, lastUsedAt: now }, { transaction: tx });
    return 'factor';
  }
  if (proof.code !== undefined) {
    for (const factor of factors) {
      const step = readTotp(deps, factor, proof.code);
      if (step === undefined) continue;
      await factor.update({ lastStep: step, lastUsedAt: now }, { transaction: tx });
      return 'factor';
    }
    return undefined;
  }
  return await provenByRecovery(deps, tx, challenge, {
    code: proof.recoveryCode ?? '',
    kind,
    from,
  });
}

async function provenByRecovery(
  deps: ActivityDeps,
  tx: Transaction,
  challenge: Challenge,
  shown: { code: string; kind: LoginKind; from: Whereabouts },
): Promise<'recovery_code' | undefined> {
  const { rows } = await runner(deps.db, tx).query(
    `UPDATE recovery_codes SET used_at = $4
     WHERE code_hash = $1 AND person_type = $2 AND person_id = $3 AND used_at IS NULL
       AND (expires_at IS NULL OR expires_at > $4) RETURNING id`,
    [
      hashOfToken(shown.code.trim().toLowerCase()),
      challenge.personType,
      challenge.personId,
      deps.clock(),
    ],
  );
  if (rows.length === 0) return undefined;
  const login = await loginOf(deps, shown.kind, challenge);
  if (login === undefined) return undefined;
  await tellPerson(deps, tx, { person: login, event: 'recovery_code_used', from: shown.from });
  return 'recovery_code';
}

/** Of the realm that asks; somebody else's ticket opens nothing there. */
export async function loginOf(
  { db }: ActivityDeps,
  kind: LoginKind,
  { personType, personId }: Pick<Challenge, 'personType' | 'personId'>,
): Promise<LoginRow | undefined> {
  if ((personType === 'OPERATOR') !== (kind === 'OPERATOR')) return undefined;
  if (personType !== 'MEMBER') return await findLoginById(runner(db), { kind, id: personId });
  const member = await db.models.members.findByPk(personId);
  if (member === null) return undefined;
  return await findLoginById(runner(db), { kind, id: member.accountId, memberId: personId });
}

function wrong(proof: Proof) {
  const field =
    proof.code !== undefined
      ? 'code'
      : proof.recoveryCode !== undefined
        ? 'recovery_code'
        : 'passkey';
  return invalid({ field, code: 'wrong', message: 'does not fit' });
}
