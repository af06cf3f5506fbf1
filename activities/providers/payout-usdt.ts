import {
  type AskNode,
  blockOf,
  createNode,
  finalBlockOf,
  hexOf,
  type NodeFields,
  NodeRefusal,
  numberOf,
} from './evm-node.ts';
import type {
  PayoutFinding,
  PayoutOrder,
  PayoutOutcome,
  PayoutProvider,
  SignedBook,
  SignedPayment,
} from './payout-port.ts';
import { wordOf } from './provider-call.ts';
import {
  createUsdtSigner,
  NANOS_PER_TOKEN_UNIT,
  receiverOf,
  unitsOf,
  Unsigned,
  type UsdtPayoutSettings,
  walletOf,
} from './usdt-signer.ts';
import { transferOf } from './token-log.ts';

/**
 * ERC-20 payouts. The bytes are signed under the wallet's lock and kept before any node sees them, and
 * only these are ever sent, however often, or dearer ones under the same number where no block takes them: an
 * order is paid at most once whoever dies when. It is SETTLED once its tokens have moved N confirmations deep. While its number is unused its bytes are alive, and it is
 * PENDING; where another payment has used the number, a person says what that one was. Never run against
 * Ethereum's main chain.
 */
export function createUsdtPayouts(settings: UsdtPayoutSettings): PayoutProvider {
  const { confirmations } = settings;
  const ask = createNode(settings);
  const signer = createUsdtSigner(settings, ask);

  /** Any other error: whether it was signed is not known, and whoever asks signs it or finds it. */
  async function signed(order: PayoutOrder, book: SignedBook): Promise<SignedPayment | Unsigned> {
    return await signer.sign(order, book).catch((error: unknown) => {
      if (error instanceof Unsigned) return error;
      throw error;
    });
  }

  /** Hands the kept bytes to the node. A refusal says nothing: it may know them, or have carried them out. */
  async function broadcast({ bytes }: SignedPayment): Promise<boolean> {
    try {
      await ask('eth_sendRawTransaction', bytes);
      return true;
    } catch (error) {
      if (error instanceof NodeRefusal) return false;
      throw error;
    }
  }

  /** What became of bytes that were signed. */
  async function look(kept: SignedPayment, order: PayoutOrder, book: SignedBook) {
    const found = await receiptOf(ask, kept);
    if (found !== null) return await lookAt(found, order, book);
    const final = hexOf(await finalBlockOf(ask, confirmations));
    const used = numberOf(await ask('eth_getTransactionCount', payerOf(kept), final));
    if (used <= kept.nonce) {
      // Only the first in line is what others wait for.
      const newest = used === kept.nonce ? await signer.hurry(kept, order, book) : kept;
      await broadcast(newest);
      return { state: 'PENDING', reference: newest.hash } as const;
    }
    // A node that lags behind itself shows it the second time.
    if ((await receiptOf(ask, kept)) !== null) {
      return { state: 'PENDING', reference: kept.hash } as const;
    }
    await book.end('DEAD');
    return { state: 'NOT_FOUND', reason: 'REPLACED' } as const;
  }

  async function lookAt(
    { receipt, hash, payer }: Found,
    order: PayoutOrder,
    book: SignedBook,
  ): Promise<PayoutFinding> {
    const number = numberOf(receipt['blockNumber']);
    const isFinal = number <= (await finalBlockOf(ask, confirmations));
    const { hash: inChain } = await blockOf(ask, number);
    if (!isFinal || wordOf(inChain) !== wordOf(receipt['blockHash'])) {
      return { state: 'PENDING', reference: hash };
    }
    if (receipt['status'] === '0x0') {
      await book.end('DEAD');
      return { state: 'FAILED', reason: 'REVERTED' };
    }
    if (receipt['status'] !== '0x1' || wordOf(receipt['transactionHash']) !== hash) {
      throw new Error('the node contradicts itself');
    }
    if (!hasMoved(receipt, order, { contract: settings.contract, payer })) {
      // Used up, but not as it was signed: a person looks at the token.
      await book.end('DEAD');
      return { state: 'NOT_FOUND', reason: 'NO_TRANSFER' };
    }
    await book.end('PAID');
    return { state: 'SETTLED', reference: hash };
  }

  return {
    wallet: walletOf(settings),
    async send(order, book): Promise<PayoutOutcome> {
      const kept = await signed(order, book);
      if (kept instanceof Unsigned) {
        return { state: kept.isOrderWrong ? 'REJECTED' : 'NOT_SENT', reason: kept.message };
      }
      return (await broadcast(kept))
        ? { state: 'ACCEPTED', reference: kept.hash }
        : { state: 'UNKNOWN', reason: 'NODE_REFUSED' };
    },

    async find(order, book): Promise<PayoutFinding> {
      const kept = await signed(order, book);
      if (kept instanceof Unsigned) return { state: 'NOT_FOUND', reason: kept.message };
      return await look(kept, order, book);
    },
  };
}

interface Found {
  receipt: NodeFields;
  hash: string;
  payer: string;
}

/** The wallet that signed: the one that pays now may be another. */
const payerOf = ({ wallet }: SignedPayment): string => wallet.split(':').at(-1) ?? '';

/** Of whichever bytes under its number were carried out. */
async function receiptOf(ask: AskNode, kept: SignedPayment): Promise<Found | null> {
  for (const hash of [kept.hash, ...kept.earlierHashes]) {
    const receipt = (await ask('eth_getTransactionReceipt', hash)) as NodeFields | null;
    if (receipt !== null) return { receipt, hash, payer: payerOf(kept) };
  }
  return null;
}

/** Tokens of the contract, from this wallet to whom the order names, exactly as many. */
function hasMoved(
  receipt: NodeFields,
  order: PayoutOrder,
  { contract, payer }: { contract: string; payer: string },
): boolean {
  const logs = Array.isArray(receipt['logs']) ? (receipt['logs'] as NodeFields[]) : [];
  const to = receiverOf(order, []).toLowerCase();
  const valueNanos = unitsOf(order.amount) * NANOS_PER_TOKEN_UNIT;
  return logs.some((log) => {
    const moved = transferOf(log, contract);
    const topics = log['topics'] as readonly unknown[] | undefined;
    const from = `0x${wordOf(topics?.[1]).slice(-40).toLowerCase()}`;
    return moved?.to === to && moved.valueNanos === valueNanos && from === payer.toLowerCase();
  });
}
