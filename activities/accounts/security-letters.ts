import type { Transaction } from 'sequelize';
import { type PersonKey, personOf } from '../../db/queries/accounts.ts';
import type { SecurityEvent } from '../../domain/security-event.ts';
import type { ActivityDeps } from '../deps.ts';
import { queueMail } from './mails.ts';
import { hashOfToken, newSecretToken } from './secret-tokens.ts';
import type { SecurityNotice } from './security-letter-texts.ts';
import type { Whereabouts } from './whereabouts.ts';

/** A week: longer than anybody leaves a letter that says that somebody else is in. */
const ALERT_LIVES_MS = 7 * 86_400_000;

export interface Told {
  person: PersonKey;
  event: SecurityEvent;
  /** Absent where it is not a request of the person's own that changed it. */
  from?: Pick<Whereabouts, 'device' | 'network' | 'country'> | undefined;
  /** Of a recovery that was granted; it lies sealed until the letter is sent. */
  code?: string | undefined;
  /** Of a change of address: whoever had the old one is told. */
  confirmationId?: number | undefined;
}

/** Tells somebody what happened to their login, with an address for "this was not me". */
export async function tellPerson(
  deps: ActivityDeps,
  tx: Transaction,
  { person, event, from, code, confirmationId }: Told,
): Promise<void> {
  const now = deps.clock();
  const token = newSecretToken();
  const expiresAt = new Date(now.getTime() + ALERT_LIVES_MS);
  await deps.db.models.securityAlerts.create(
    { ...personOf(person), tokenHash: hashOfToken(token), event, expiresAt, createdAt: now },
    { transaction: tx, silent: true },
  );
  const notice: SecurityNotice = {
    event,
    at: now.toISOString(),
    device: from?.device ?? null,
    network: from?.network ?? null,
    country: from?.country ?? null,
    token,
    ...(code === undefined ? {} : { code }),
  };
  await queueMail(deps, tx, {
    kind: 'security',
    ...(person.kind === 'OPERATOR'
      ? { operatorId: person.id }
      : { accountId: person.id, memberId: person.memberId }),
    confirmationId,
    detail: JSON.stringify(notice),
    expiresAt,
  });
}
