import { nextId } from '../../db/next-id.ts';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { generateSecret, generateURI } from 'otplib';
import type { Transaction } from 'sequelize';
import { inTransaction, runner, violatedConstraint } from '../../db/postgres.ts';
import { type PersonKey, personOf } from '../../db/queries/accounts.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
import type { Person } from '../../domain/person.ts';
import { FACTORS_MAX } from '../../domain/second-factor.ts';
import type { SecurityEvent } from '../../domain/security-event.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { createFactorRecoveryActivities } from './factor-recoveries.ts';
import { openChallenge, takeChallenge } from './factor-challenges.ts';
import { passkeyCreation, readNewPasskey, type RelyingParty } from './passkeys.ts';
import { writeCodes } from './recovery-codes.ts';
import { tellPerson } from './security-letters.ts';
import { readTotp, totpPlaceOf } from './totp.ts';
import type { Whereabouts } from './whereabouts.ts';

const ISSUER = 'Advertising platform';

interface OfPerson {
  person: PersonKey;
  from: Whereabouts;
  requestId: string;
}

export interface NewPasskey extends OfPerson {
  ticket: string;
  tokenId: string;
  name: string;
  response: unknown;
  party: RelyingParty;
}

interface NewTotp {
  person: PersonKey;
  label: string;
}

type ConfirmedTotp = OfPerson & { factorId: number; code: string; name: string };
type RemovedFactor = OfPerson & { factorId: number; isDuty: boolean };

interface BegunPasskey {
  person: PersonKey;
  tokenId: string;
  label: string;
  party: RelyingParty;
}

/** The first factor comes with recovery codes, which are shown this once. */
export interface Confirmed {
  factorId: number;
  recoveryCodes: string[] | null;
}

export function createFactorActivities(deps: ActivityDeps) {
  const { db } = deps;
  return {
    ...createFactorRecoveryActivities(deps),

    /** A secret for a code generator; it counts once its owner has shown a code of it. */
    beginTotp: async (ask: NewTotp) => await beginTotp(deps, ask),

    /** Raises not_found, and validation_failed for a code that does not fit. */
    confirmTotp: async (ask: ConfirmedTotp) => await confirmTotp(deps, ask),

    /** The question that a new passkey answers, bound to the session that asks. */
    beginPasskey: async (ask: BegunPasskey) => await beginPasskey(deps, ask),

    /** Raises validation_failed for a ticket or an answer that is not good; each ticket is good once. */
    confirmPasskey: async (ask: NewPasskey) => await confirmPasskey(deps, ask),

    async renameFactor(ask: { person: PersonKey; factorId: number; name: string }): Promise<void> {
      const [renamed] = await db.models.factors.update(
        { name: ask.name },
        { where: { ...personOf(ask.person), id: ask.factorId } },
      );
      if (renamed === 0) throw notFound();
    },

    /** With the last one its recovery codes go as well. Raises state_conflict where one is a duty. */
    removeFactor: async (ask: RemovedFactor) => await removeFactor(deps, ask),

    /** Ten new ones; those before are void. */
    async makeRecoveryCodes(ask: OfPerson): Promise<string[]> {
      return await inTransaction(db, async (tx) => {
        const codes = await writeCodes(deps, tx, personOf(ask.person));
        await tell(deps, tx, ask, { event: 'recovery_codes_made', factorId: null });
        return codes;
      });
    },
  };
}

async function beginTotp(deps: ActivityDeps, { person, label }: NewTotp) {
  const { db } = deps;
  const secret = generateSecret();
  const factorId = await inTransaction(db, async (tx) => {
    await expectRoom(deps, tx, personOf(person));
    const id = await nextId(runner(db, tx), 'factors');
    await db.models.factors.create(
      {
        id,
        ...personOf(person),
        kind: 'TOTP',
        name: 'Authenticator',
        sealedSecret: deps.providers.sealer.seal(secret, totpPlaceOf({ ...personOf(person), id })),
      },
      { transaction: tx },
    );
    return id;
  });
  return { factorId, secret, uri: generateURI({ issuer: ISSUER, label, secret }) };
}

async function confirmTotp(deps: ActivityDeps, ask: ConfirmedTotp): Promise<Confirmed> {
  const { db } = deps;
  return await inTransaction(db, async (tx) => {
    const factor = await db.models.factors.findOne({
      where: { ...personOf(ask.person), id: ask.factorId, kind: 'TOTP', confirmedAt: null },
      transaction: tx,
      lock: tx.LOCK.UPDATE,
    });
    if (factor === null) throw notFound();
    const step = readTotp(deps, factor, ask.code);
    if (step === undefined) {
      throw invalid({
        field: 'code',
        code: 'wrong',
        message: 'is not the code of this moment',
      });
    }
    const set = { confirmedAt: deps.clock(), lastStep: step, name: ask.name };
    await factor.update(set, { transaction: tx });
    return await afterAdded(deps, tx, ask, factor.id);
  });
}

async function beginPasskey(
  deps: ActivityDeps,
  ask: {
    person: PersonKey;
    tokenId: string;
    label: string;
    party: RelyingParty;
  },
): Promise<{ ticket: string; options: PublicKeyCredentialCreationOptionsJSON }> {
  const { db } = deps;
  return await inTransaction(db, async (tx) => {
    const person = personOf(ask.person);
    const kept = await expectRoom(deps, tx, person);
    const options = await passkeyCreation(ask.party, ask.label, kept);
    const ticket = await openChallenge(deps, tx, {
      purpose: 'ENROL',
      person,
      tokenId: ask.tokenId,
      challenge: options.challenge,
    });
    return { ticket, options };
  });
}

async function confirmPasskey(deps: ActivityDeps, ask: NewPasskey): Promise<Confirmed> {
  const { db } = deps;
  const person = personOf(ask.person);
  const taken = await takeChallenge(deps, {
    ticket: ask.ticket,
    purpose: 'ENROL',
    person,
    tokenId: ask.tokenId,
  });
  const passkey = await readNewPasskey(ask.response, taken.challenge, ask.party);
  if (passkey === undefined) {
    throw invalid({ field: 'response', code: 'not_valid', message: 'is not a good answer' });
  }
  try {
    return await inTransaction(db, async (tx) => {
      await expectRoom(deps, tx, person);
      const { id } = await db.models.factors.create(
        {
          ...person,
          kind: 'PASSKEY',
          name: ask.name,
          credentialId: passkey.id,
          publicKey: Buffer.from(passkey.publicKey),
          signCount: passkey.counter,
          transports: passkey.transports,
          confirmedAt: deps.clock(),
        },
        { transaction: tx },
      );
      return await afterAdded(deps, tx, ask, id);
    });
  } catch (error) {
    if (violatedConstraint(error) === 'factors_credential_id_key') {
      throw conflict('This passkey is in use already.');
    }
    throw error;
  }
}

async function removeFactor(deps: ActivityDeps, ask: RemovedFactor): Promise<void> {
  const { db } = deps;
  await inTransaction(db, async (tx) => {
    const person = personOf(ask.person);
    const all = await lockFactors(deps, tx, person);
    const factor = all.find(({ id }) => id === ask.factorId);
    if (factor === undefined) throw notFound();
    const others = all.filter(({ id, confirmedAt }) => id !== factor.id && confirmedAt !== null);
    if (factor.confirmedAt !== null && others.length === 0 && ask.isDuty) {
      throw conflict('A second factor is a duty here: add another one first.');
    }
    await factor.destroy({ transaction: tx });
    if (factor.confirmedAt === null) return;
    if (others.length === 0) {
      await db.models.recoveryCodes.destroy({ where: { ...person }, transaction: tx });
    }
    await tell(deps, tx, ask, { event: 'factor_removed', factorId: factor.id });
  });
}

const lockFactors = async ({ db }: ActivityDeps, tx: Transaction, person: Person) =>
  await db.models.factors.findAll({
    where: { ...person },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });

/** What was begun and never confirmed makes room. Answers the credentials that are there. */
async function expectRoom(
  deps: ActivityDeps,
  tx: Transaction,
  person: Person,
): Promise<{ id: string; transports: string[] }[]> {
  const all = await lockFactors(deps, tx, person);
  for (const each of all) if (each.confirmedAt === null) await each.destroy({ transaction: tx });
  const confirmed = all.filter(({ confirmedAt }) => confirmedAt !== null);
  if (confirmed.length >= FACTORS_MAX) throw conflict(`At most ${FACTORS_MAX} factors are kept.`);
  return confirmed.flatMap(({ credentialId, transports }) =>
    credentialId === null ? [] : [{ id: credentialId, transports }],
  );
}

/** Whoever has just shown a factor has proven it; the first one brings the codes. */
async function afterAdded(
  deps: ActivityDeps,
  tx: Transaction,
  ask: OfPerson,
  factorId: number,
): Promise<Confirmed> {
  const person = personOf(ask.person);
  const codes = await deps.db.models.recoveryCodes.count({
    where: { ...person, usedAt: null, expiresAt: null },
    transaction: tx,
  });
  await tell(deps, tx, ask, { event: 'factor_added', factorId });
  return { factorId, recoveryCodes: codes > 0 ? null : await writeCodes(deps, tx, person) };
}

async function tell(
  deps: ActivityDeps,
  tx: Transaction,
  { person, from, requestId }: OfPerson,
  { event, factorId }: { event: SecurityEvent; factorId: number | null },
): Promise<void> {
  await tellPerson(deps, tx, { person, event, from });
  await recordAudit(deps.db, tx, {
    actor: {
      type: person.kind === 'OPERATOR' ? 'OPERATOR' : 'ACCOUNT',
      id: person.id,
      memberId: person.memberId,
    },
    action: `login.${event}`,
    subject: { type: 'factor', id: factorId },
    requestId,
  });
}
