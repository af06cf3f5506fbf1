import { createHash } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { nextId } from '../../db/next-id.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { readFileTakenBack } from '../../db/queries/payout-file-take-backs.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { placeOf, type SealedPlace } from '../../db/sealed-columns.ts';
import { conflict, type FieldError, invalid, notFound } from '../../domain/errors.ts';
import { formatAmount } from '../../domain/money.ts';
import { fileReferenceOf } from '../../domain/payout-status.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  bankFileOf,
  fileNameOf,
  filePlaceOf,
  type LockedOrders,
  lockOrders,
  referenceOf,
  totalOf,
} from './payout-order.ts';
import type { LockedWithdrawal } from './withdrawal-moves.ts';

/** What a file for several was made of: the payouts as somebody saw them when they chose. */
export interface PayoutFileCommand {
  payouts: readonly { id: number; version: number }[];
  operatorId: number;
  requestId: string;
}

export interface Taking {
  withdrawalId: number;
  operatorId: number;
  requestId: string;
}

type PayoutFile = RecordOf<'payoutFiles'>;
type Payout = RecordOf<'payouts'>;

const FAULTS_MAX = 20;
const NOT_AS_MADE = 'The payouts of this file have changed: choose anew which go together.';

const filesPlaceOf = (id: number): SealedPlace => placeOf('payout_files.sealed_file', id);

/** The files that operators carry to the bank: of one order, or of several together (interface 4.12). */
export function createPayoutFileActivities(deps: ActivityDeps) {
  return {
    /**
     * One file for several payouts, all of them or none: just these again are the file that they are in. Raises
     * validation_failed, naming each that is not as it was chosen, or whose file was handed out already.
     */
    async makePayoutFile(
      command: PayoutFileCommand,
    ): Promise<{ fileId: number; created: boolean }> {
      return await runStep(
        deps.db,
        'payout_file.make',
        async (tx) => await makeFile(deps, tx, command),
      );
    },

    /**
     * The stored bytes of the file that a payout is in, the same each time; who took them is in the audit log.
     * Raises not_found while there is none, and state_conflict once any payout of it is paid or has failed, or
     * the bank has spoken of it.
     */
    async takePayoutFile(request: Taking): Promise<{ name: string; text: string }> {
      return await inTransaction(deps.db, async (tx) => await takeFile(deps, tx, request));
    },
  };
}

async function makeFile(
  deps: ActivityDeps,
  tx: Transaction,
  { payouts: chosen, operatorId, requestId }: PayoutFileCommand,
): Promise<{ fileId: number; created: boolean }> {
  const ids = chosen.map(({ id }) => id).toSorted((a, b) => a - b);
  const locked = await lockOrders(deps, tx, ids);
  const same = await fileOfJustThese(deps, tx, ids, locked);
  const currency = locked.withdrawals.get(ids[0] ?? 0)?.currency;
  const suspended = await ofSuspended(deps, tx, locked);
  const faults = chosen.flatMap((each, at) => {
    const fault = faultOf(each, locked, { currency, same, suspended });
    return fault === null ? [] : [{ field: `payouts[${at}]`, ...fault }];
  });
  if (faults.length > 0) throw invalid(...faults.slice(0, FAULTS_MAX));
  if (same !== null) return { fileId: same.id, created: false };
  const withdrawals = ids.flatMap((id) => locked.withdrawals.get(id) ?? []);
  const file = await writeFile(deps, tx, { withdrawals, operatorId });
  await deps.db.models.payouts.update(
    { fileId: file.id },
    { where: { withdrawalId: ids }, transaction: tx, silent: true },
  );
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: 'payout_file.make',
    subject: { type: 'payout_file', id: file.id },
    detail: {
      file: file.fileName,
      sha256: file.fileSha256,
      withdrawals: ids,
      total: formatAmount(file.totalNanos),
    },
    requestId,
  });
  return { fileId: file.id, created: true };
}

const waitsFor = (name: string): string =>
  `${name} waits: its publisher is suspended. Restore the account first, or say that it was not paid.`;

/**
 * Withdrawals whose publisher is suspended: money that is on its way waits, and what nobody has carried to the bank can
 * still wait. A file that was handed out is given again, since it may be there.
 */
async function ofSuspended(
  deps: ActivityDeps,
  tx: Transaction,
  { withdrawals }: LockedOrders,
): Promise<ReadonlySet<number>> {
  const all = [...withdrawals.values()];
  const rows = await deps.db.models.accounts.findAll({
    where: { id: all.map(({ publisherId }) => publisherId), status: 'SUSPENDED' },
    transaction: tx,
  });
  const shut = new Set(rows.map(({ id }) => id));
  return new Set(all.filter(({ publisherId }) => shut.has(publisherId)).map(({ id }) => id));
}

/** The file that holds these and no others. */
async function fileOfJustThese(
  deps: ActivityDeps,
  tx: Transaction,
  ids: readonly number[],
  { payouts }: LockedOrders,
): Promise<PayoutFile | null> {
  const [fileId, ...more] = new Set(ids.map((id) => payouts.get(id)?.fileId ?? null));
  if (fileId === undefined || fileId === null || more.length > 0) return null;
  const file = await deps.db.models.payoutFiles.findByPk(fileId, { transaction: tx });
  return file?.payments === ids.length ? file : null;
}

/** Why it cannot go out in this file; what nobody has handed out yet may still go with others. */
function faultOf(
  { id, version }: { id: number; version: number },
  { withdrawals, payouts }: LockedOrders,
  {
    currency,
    same,
    suspended,
  }: {
    currency: string | undefined;
    same: PayoutFile | null;
    suspended: ReadonlySet<number>;
  },
): Omit<FieldError, 'field'> | null {
  const [withdrawal, payout] = [withdrawals.get(id), payouts.get(id)];
  const name = referenceOf(id);
  if (withdrawal === undefined) return { code: 'unknown', message: 'No such withdrawal.' };
  if (withdrawal.channel !== 'BANK')
    return { code: 'not_for_channel', message: `${name} is not paid by bank.` };
  if (withdrawal.status !== 'PROCESSING' || payout?.state !== 'FILE')
    return {
      code: 'state',
      message: `${name} waits for no bank file: it is ${withdrawal.status}.`,
    };
  if (withdrawal.version !== version)
    return { code: 'changed', message: `${name} has changed since it was chosen.` };
  if (withdrawal.currency !== currency)
    return { code: 'currency', message: `${name} is in another currency than the first.` };
  const spoken = whyVoid(payout);
  if (spoken !== null) return { code: 'state', message: spoken };
  if (payout.fileTakenAt === null && suspended.has(id))
    return { code: 'account_suspended', message: waitsFor(name) };
  if (payout.fileTakenAt === null || same !== null) return null;
  const file =
    payout.fileId === null ? payout.fileName : fileNameOf(fileReferenceOf(payout.fileId));
  return {
    code: 'in_another_file',
    message: `${name} was handed out already, in ${file}: carry that one.`,
  };
}

async function writeFile(
  deps: ActivityDeps,
  tx: Transaction,
  { withdrawals, operatorId }: { withdrawals: LockedWithdrawal[]; operatorId: number },
): Promise<PayoutFile> {
  const [first] = withdrawals;
  if (first === undefined) throw new Error('a bank file of nothing');
  const id = await nextId(runner(deps.db, tx), 'payout_files');
  const externalRef = fileReferenceOf(id);
  const text = bankFileOf(deps, { reference: externalRef, withdrawals });
  return await deps.db.models.payoutFiles.create(
    {
      id,
      externalRef,
      currency: first.currency,
      payments: withdrawals.length,
      totalNanos: totalOf(withdrawals),
      sealedFile: Buffer.from(deps.providers.sealer.seal(text, filesPlaceOf(id))),
      fileSha256: createHash('sha256').update(text).digest('hex'),
      fileName: fileNameOf(externalRef),
      operatorId,
    },
    { transaction: tx },
  );
}

/** Whoever carries it to the bank again pays what was given back, or what the bank has already. */
function whyVoid({ externalRef, state, bankStatus, fileName }: Payout): string | null {
  if (state === 'REJECTED') return `${externalRef} has failed: its file is void.`;
  if (state === 'SETTLED' && fileName !== null)
    return `${externalRef} is paid: its file is not carried to the bank again.`;
  if (bankStatus === 'TAKEN' || bankStatus === 'BOOKED')
    return `The bank has ${externalRef}: its file is not carried there again.`;
  return bankStatus === 'REFUSED' ? `The bank has refused ${externalRef}.` : null;
}

async function takeFile(
  deps: ActivityDeps,
  tx: Transaction,
  { withdrawalId, operatorId, requestId }: Taking,
): Promise<{ name: string; text: string }> {
  const { payouts, payoutFiles } = deps.db.models;
  const seen = await payouts.findByPk(withdrawalId, { transaction: tx });
  if (seen === null) throw notFound();
  const { fileId } = seen;
  const together =
    fileId === null ? [seen] : await payouts.findAll({ where: { fileId }, transaction: tx });
  const ids = together.map((each) => each.withdrawalId);
  const orders = await lockOrders(deps, tx, ids);
  const locked = [...orders.payouts.values()];
  const of = fileId === null ? null : await payoutFiles.findByPk(fileId, { transaction: tx });
  const isAsMade = locked.every((each) => each.fileId === fileId);
  if (!isAsMade || (of !== null && of.payments !== locked.length)) throw conflict(NOT_AS_MADE);
  const why = locked.map(whyVoid).find((each) => each !== null) ?? null;
  if (why !== null) throw conflict(why);
  const suspended = await ofSuspended(deps, tx, orders);
  const waits = locked.find(
    (each) => each.fileTakenAt === null && suspended.has(each.withdrawalId),
  );
  if (waits !== undefined) throw conflict(waitsFor(waits.externalRef));
  // What may be at the bank under its name goes there no more.
  const back = await readFileTakenBack(runner(deps.db, tx), of?.externalRef ?? seen.externalRef);
  if (back !== undefined)
    throw conflict('The bank file of its own was taken back: put it into a new one.');
  const file = opened(deps, of ?? seen);
  await payouts.update(
    { fileTakenAt: deps.clock() },
    { where: { withdrawalId: ids, fileTakenAt: null }, transaction: tx, silent: true },
  );
  for (const id of ids) {
    await recordAudit(deps.db, tx, {
      actor: { type: 'OPERATOR', id: operatorId },
      action: 'payout_file.download',
      subject: { type: 'withdrawal', id },
      detail: { file: file.name, sha256: file.sha256 },
      requestId,
    });
  }
  return file;
}

function opened(
  deps: ActivityDeps,
  of: Payout | PayoutFile,
): { name: string; text: string; sha256: string } {
  const { sealedFile, fileName: name, fileSha256: sha256 } = of;
  if (sealedFile === null || name === null || sha256 === null) throw notFound();
  const place = 'withdrawalId' in of ? filePlaceOf(of.withdrawalId) : filesPlaceOf(of.id);
  const text = deps.providers.sealer.open(sealedFile.toString('utf8'), place);
  if (createHash('sha256').update(text).digest('hex') !== sha256) {
    throw new Error(`${name} is not the file that was written`);
  }
  return { name, text, sha256 };
}
