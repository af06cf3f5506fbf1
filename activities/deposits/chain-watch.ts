import { Context } from '@temporalio/activity';
import { runner } from '../../db/postgres.ts';
import { ordersOfAddresses, type OrderOfAddress, showSeen } from '../../db/queries/chain-watch.ts';
import { worthOf } from '../../domain/deposit-terms.ts';
import type { ActivityDeps } from '../deps.ts';
import { pause } from '../core/pause.ts';
import type { Chain, Movement, SeenTransfer } from '../providers/chain-port.ts';
import { receivePayment } from './deposit-payments.ts';

export interface ChainLook {
  /** Blocks that are final now and were not before. */
  blocks: number;
  /** Movements to addresses of ours in them. */
  received: number;
}

/** Blocks of one question to a node. */
const BLOCKS_MAX = 50;
/** The longest rest after a node that did not answer. */
const REST_MS_MAX = 30_000;

/** Watches chains for tokens that come to addresses of orders. */
export function createChainWatchActivities(deps: ActivityDeps) {
  /**
   * One look at each chain. Raises where a node cannot be believed, after the others were looked at; the next
   * look begins where it was.
   */
  const lookAtChains = async (): Promise<ChainLook> => {
    const looks = await Promise.allSettled(
      deps.providers.rails.chains().map(async (chain) => await lookAt(deps, chain)),
    );
    const failed = looks.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return sumOf(looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : [])));
  };
  return {
    lookAtChains,

    /** Looks again and again; a node that is away is asked again after a tick, and less often by and by. */
    async watchChains(input: { runForMs: number; tickMs: number }): Promise<ChainLook> {
      const { cancellationSignal, heartbeat } = Context.current();
      const until = Date.now() + input.runForMs;
      const isOver = () => Date.now() >= until || cancellationSignal.aborted;
      const watch = async (chain: Chain): Promise<ChainLook> => {
        const looks: ChainLook[] = [];
        const tickMs = Math.max(input.tickMs, chain.restMs);
        let restMs = tickMs;
        while (!isOver()) {
          try {
            looks.push(await lookAt(deps, chain));
            restMs = tickMs;
          } catch (error) {
            const { network } = chain;
            deps.log.warn({ err: error, network }, 'a chain could not be read; tried again');
            // A provider that counts its callers shuts out whoever goes on asking.
            restMs = Math.min(restMs * 2, REST_MS_MAX);
          }
          await pause(restMs, cancellationSignal);
        }
        return sumOf(looks);
      };
      const beat = async (): Promise<ChainLook> => {
        while (!isOver()) {
          heartbeat();
          await pause(input.tickMs, cancellationSignal);
        }
        return sumOf([]);
      };
      const { rails } = deps.providers;
      return sumOf(await Promise.all([beat(), ...rails.chains().map(watch)]));
    },
  };
}

const sumOf = (looks: readonly ChainLook[]): ChainLook => ({
  blocks: looks.reduce((sum, { blocks }) => sum + blocks, 0),
  received: looks.reduce((sum, { received }) => sum + received, 0),
});

async function lookAt(deps: ActivityDeps, chain: Chain): Promise<ChainLook> {
  const { head, final } = await chain.tips();
  if (final < 0) return { blocks: 0, received: 0 };
  const begun = await cursorOf(deps, chain, final);
  // Again what was just read: a node that lags shows a block's logs after the block.
  let from = Math.max(0, begun - chain.confirmations + 1);
  let received = 0;
  while (from <= final) {
    const to = Math.min(final, from + BLOCKS_MAX - 1);
    received += await receive(deps, chain, await chain.transfers(from, to));
    if (to > begun) await keepCursor(deps, chain, to);
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
  if (block > final) {
    await keepCursor(deps, chain, final);
    return final;
  }
  const now = await chain.block(block);
  if (now?.hash === blockHash) return block;
  deps.log.error(
    { network: chain.network, block },
    'a chain was written anew below what was believed: receipts since then need a look',
  );
  return Math.max(0, block - BLOCKS_MAX);
}

/** Only where it moves: its age says for how long a chain was not read, also where a node stands still. */
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

/**
 * A transaction that is said to have paid an order is looked up by itself, and only what that says is
 * believed; its reference makes a repeat harmless.
 */
async function receive(
  deps: ActivityDeps,
  chain: Chain,
  transfers: readonly SeenTransfer[],
): Promise<number> {
  const orders = await known(deps, transfers);
  const ours = transfers.filter(({ to }) => orders.has(to));
  let received = 0;
  for (const seen of new Map(ours.map((each) => [each.transaction, each])).values()) {
    const moved = await chain.movementsOf(seen);
    const isTold = ours
      .filter(({ transaction }) => transaction === seen.transaction)
      .every((each) => moved.some((movement) => isSame(movement, each)));
    if (!isTold) throw new Error('a node contradicts itself');
    for (const { to, valueNanos, reference } of moved) {
      const order = orders.get(to);
      if (order === undefined) continue;
      const amountNanos = worthOf(valueNanos, order);
      await receivePayment(deps, { id: order.depositId }, { reference, paidAt: null, amountNanos });
      received += 1;
    }
  }
  return received;
}

const isSame = (movement: Movement, { to, valueNanos }: SeenTransfer): boolean =>
  movement.to === to && movement.valueNanos === valueNanos;

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
  await showSeen(runner(deps.db), chain.network, seen);
}

const known = async (
  deps: ActivityDeps,
  transfers: readonly SeenTransfer[],
): Promise<ReadonlyMap<string, OrderOfAddress>> =>
  await ordersOfAddresses(
    runner(deps.db),
    transfers.map(({ to }) => to),
  );
