import { Context } from '@temporalio/activity';
import { runner } from '../../db/postgres.ts';
import { ordersOfAddresses, type OrderOfAddress, showSeen } from '../../db/queries/chain-watch.ts';
import { worthOf } from '../../domain/deposit-terms.ts';
import type { ActivityDeps } from '../deps.ts';
import { pause } from '../core/pause.ts';
import type { Chain, TokenTransfer } from '../providers/chain-port.ts';
import { receivePayment } from './deposit-payments.ts';

export interface ChainLook {
  /** Blocks that are final now and were not before. */
  blocks: number;
  /** Movements to addresses of ours in them. */
  received: number;
}

/** Blocks of one question to a node. */
const BLOCKS_MAX = 50;

/** Watches chains for tokens that come to addresses of orders. */
export function createChainWatchActivities(deps: ActivityDeps) {
  /** One look at each chain. Raises where a node cannot be believed; the next look begins where it was. */
  const lookAtChains = async (): Promise<ChainLook> => {
    const look: ChainLook = { blocks: 0, received: 0 };
    for (const chain of deps.providers.rails.chains()) {
      const { blocks, received } = await lookAt(deps, chain);
      look.blocks += blocks;
      look.received += received;
    }
    return look;
  };
  return {
    lookAtChains,

    /** Looks again and again; a node that is away is asked again after a tick. */
    async watchChains(input: { runForMs: number; tickMs: number }): Promise<ChainLook> {
      const { cancellationSignal, heartbeat } = Context.current();
      const until = Date.now() + input.runForMs;
      const sum: ChainLook = { blocks: 0, received: 0 };
      while (Date.now() < until && !cancellationSignal.aborted) {
        heartbeat();
        try {
          const { blocks, received } = await lookAtChains();
          sum.blocks += blocks;
          sum.received += received;
        } catch (error) {
          deps.log.warn({ err: error }, 'a chain could not be read; tried again');
        }
        await pause(input.tickMs, cancellationSignal);
      }
      return sum;
    },
  };
}

async function lookAt(deps: ActivityDeps, chain: Chain): Promise<ChainLook> {
  const head = await chain.head();
  const final = head - chain.confirmations + 1;
  if (final < 0) return { blocks: 0, received: 0 };
  const begun = await cursorOf(deps, chain, final);
  // Again what was just read: a node that lags shows a block's logs after the block.
  let from = Math.max(0, begun - chain.confirmations + 1);
  let received = 0;
  while (from <= final) {
    const to = Math.min(final, from + BLOCKS_MAX - 1);
    received += await receive(deps, chain, await chain.transfers(from, to));
    await keepCursor(deps, chain, Math.max(begun, to));
    from = to + 1;
  }
  await showComing(deps, chain, { from: final + 1, head });
  return { blocks: Math.max(0, final - begun), received };
}

/**
 * The last block that was read whole. A new watch begins where the chain is; a chain that has another
 * block at that height was written anew below what is believed, and is read again from further back.
 */
async function cursorOf(deps: ActivityDeps, chain: Chain, final: number): Promise<number> {
  const { chainCursors } = deps.db.models;
  const cursor = await chainCursors.findByPk(chain.network);
  if (cursor === null) {
    await keepCursor(deps, chain, final);
    return final;
  }
  const { block, blockHash } = cursor;
  if (block > final) return final;
  const now = await chain.block(block);
  if (now?.hash === blockHash) return block;
  deps.log.error(
    { network: chain.network, block },
    'a chain was written anew below what was believed: receipts since then need a look',
  );
  return Math.max(0, block - BLOCKS_MAX);
}

async function keepCursor(deps: ActivityDeps, chain: Chain, block: number): Promise<void> {
  const found = await chain.block(block);
  if (found === null) throw new Error('the node has lost a block that it had');
  const { network } = chain;
  await deps.db.models.chainCursors.upsert({
    network,
    block,
    blockHash: found.hash,
    updatedAt: deps.clock(),
  });
}

/** Each is looked up by itself before it is believed; its reference makes a repeat harmless. */
async function receive(
  deps: ActivityDeps,
  chain: Chain,
  transfers: readonly TokenTransfer[],
): Promise<number> {
  const orders = await known(deps, transfers);
  let received = 0;
  for (const transfer of transfers) {
    const order = orders.get(transfer.to);
    if (order === undefined) continue;
    if (!(await chain.isDone(transfer))) throw new Error('a node contradicts itself');
    await receivePayment(
      deps,
      { id: order.depositId },
      {
        reference: transfer.reference,
        paidAt: null,
        amountNanos: worthOf(transfer.valueNanos, order),
      },
    );
    received += 1;
  }
  return received;
}

/** What is on its way is shown and not believed: one that a reorganisation took away is gone again. */
async function showComing(
  deps: ActivityDeps,
  chain: Chain,
  { from, head }: { from: number; head: number },
): Promise<void> {
  const coming = from > head ? [] : await chain.transfers(from, head);
  const orders = await known(deps, coming);
  const seen = coming.flatMap(({ to, block }) => {
    const order = orders.get(to);
    return order === undefined
      ? []
      : [{ depositId: order.depositId, confirmations: head - block.number + 1 }];
  });
  await showSeen(runner(deps.db), seen);
}

const known = async (
  deps: ActivityDeps,
  transfers: readonly TokenTransfer[],
): Promise<ReadonlyMap<string, OrderOfAddress>> =>
  await ordersOfAddresses(
    runner(deps.db),
    transfers.map(({ to }) => to),
  );
