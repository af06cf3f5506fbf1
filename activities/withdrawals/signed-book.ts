import { placeOf } from '../../db/sealed-columns.ts';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { nanos } from '../../db/schema/column.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import type { ChainPaymentRow } from '../../db/tables/chain-payment.ts';
import { conflict } from '../../domain/errors.ts';
import { canBePaid } from '../../domain/lifecycle/payout.ts';
import type { ActivityDeps } from '../deps.ts';
import type {
  FreshBytes,
  SignedBook,
  SignedPayment,
  SigningTurn,
} from '../providers/payout-port.ts';
import { lockPayout } from './payout-order.ts';
import { lockWithdrawal } from './withdrawal-moves.ts';

/**
 * The signed payment of one withdrawal. Its locks follow the room's order, the wallet's last: who is given a
 * number keeps the bytes that use it in the same transaction, so that no number is given in vain.
 */
export function signedBook(deps: ActivityDeps, key: { withdrawalId: number }): SignedBook {
  const { withdrawalId } = key;
  const { chainPayments, chainWallets } = deps.db.models;
  const place = placeOf('chain_payments.sealed_bytes', withdrawalId);
  const opened = (row: ChainPaymentRow): SignedPayment => {
    const { wallet, nonce, hash, sealedBytes, earlierHashes, feeWei, tipWei } = row;
    const bytes = deps.providers.sealer.open(sealedBytes.toString('utf8'), place);
    const fees = feeWei === null || tipWei === null ? null : { feeWeiMax: feeWei, tipWei };
    const ageMs = deps.clock().getTime() - (row.replacedAt ?? row.signedAt).getTime();
    return { wallet, nonce, hash, bytes, fees, earlierHashes, ageMs };
  };
  const sealed = ({ hash, bytes, fees }: FreshBytes) => ({
    hash,
    sealedBytes: Buffer.from(deps.providers.sealer.seal(bytes, place)),
    feeWei: fees.feeWeiMax,
    tipWei: fees.tipWei,
  });
  return {
    async kept() {
      const row = await chainPayments.findByPk(withdrawalId);
      return row === null ? null : opened(row);
    },

    async sign(wallet, nonceMin, make) {
      return await inTransaction(deps.db, async (tx) => {
        const locked = await lockPayout(deps, tx, await lockWithdrawal(deps, tx, key));
        const earlier = await chainPayments.findByPk(withdrawalId, { transaction: tx });
        if (earlier !== null) return opened(earlier);
        if (!canBePaid(locked.payout.state)) throw conflict('This payout is not on its way.');
        const turn = await takeTurn(deps, tx, { wallet, nonceMin });
        const fresh = make(turn);
        await chainWallets.update(
          { nextNonce: turn.nonce + 1 },
          { where: { wallet }, transaction: tx },
        );
        const { nonce } = turn;
        const { arrivalNanos: amountNanos } = locked.withdrawal;
        await chainPayments.create(
          { withdrawalId, wallet, nonce, amountNanos, ...sealed(fresh) },
          { transaction: tx },
        );
        return { wallet, nonce, ...fresh, earlierHashes: [], ageMs: 0 };
      });
    },

    async replace(kept, make) {
      return await inTransaction(deps.db, async (tx) => {
        const row = await chainPayments.findByPk(withdrawalId, {
          transaction: tx,
          lock: tx.LOCK.UPDATE,
        });
        if (row === null) throw conflict('Nothing was signed for this payout.');
        if (row.ended !== null || row.hash !== kept.hash) return opened(row);
        const change = { ...sealed(make()), replacedAt: deps.clock() };
        const earlierHashes = [...row.earlierHashes, row.hash];
        await row.update({ ...change, earlierHashes }, { transaction: tx });
        return opened(row);
      });
    },

    async end(ended) {
      await chainPayments.update({ ended }, { where: { withdrawalId } });
    },
  };
}

const SUMS = select({
  waitingNanos: nanos().of('COALESCE(sum(amount_nanos) FILTER (WHERE ended IS NULL), 0)::bigint'),
  dayNanos: nanos().of('COALESCE(sum(amount_nanos) FILTER (WHERE signed_at > $2), 0)::bigint'),
});

const DAY_MS = 86_400_000;

/** Whoever comes next waits here until this one's bytes are kept, or are not. */
async function takeTurn(
  deps: ActivityDeps,
  tx: Transaction,
  { wallet, nonceMin }: { wallet: string; nonceMin: number },
): Promise<SigningTurn> {
  const { chainWallets } = deps.db.models;
  await chainWallets.bulkCreate([{ wallet, nextNonce: nonceMin }], {
    transaction: tx,
    ignoreDuplicates: true,
  });
  const row = await chainWallets.findByPk(wallet, { transaction: tx, lock: tx.LOCK.UPDATE });
  if (row === null) throw new Error('a wallet has no row');
  if (nonceMin > row.nextNonce) {
    deps.log.error({ wallet, nonce: nonceMin }, 'somebody else pays from the wallet of payouts');
  }
  const since = new Date(deps.clock().getTime() - DAY_MS);
  const sums = await readRow(
    runner(deps.db, tx),
    SUMS,
    `SELECT ${SUMS.list} FROM chain_payments WHERE wallet = $1 AND (ended IS NULL OR signed_at > $2)`,
    [wallet, since],
  );
  const { waitingNanos = 0n, dayNanos = 0n } = sums ?? {};
  return { nonce: Math.max(row.nextNonce, nonceMin), waitingNanos, dayNanos };
}
