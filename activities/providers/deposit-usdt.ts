import type { Nanos } from '../../domain/money.ts';
import type { DepositProvider } from './deposit-port.ts';
import type { TokenMerchant } from './deposit-settings.ts';
import { addressOfChild } from './evm-address.ts';

const TOKEN_UNIT_NANOS = 1_000n;

/**
 * USDT to an address of the order's own. Nobody is told and nobody notifies: the chain is watched
 * (activities/deposits/chain-watch.ts), also for what comes after an order has ended.
 */
export function createUsdt(settings: TokenMerchant): DepositProvider {
  const { xpub, contract, chainId, confirmations, page } = settings;
  return {
    open({ depositId, payNanos }) {
      const address = addressOfChild(xpub, depositId);
      return Promise.resolve({
        state: 'OPEN',
        instructions: {
          kind: 'ADDRESS',
          address,
          network: 'ERC20',
          contract,
          confirmations,
          qr: tokenUri({ contract, chainId, address, payNanos }),
          page: page === null ? null : `${page}/${address}/${payNanos / TOKEN_UNIT_NANOS}`,
        },
      });
    },
    query: () => Promise.resolve({ state: 'WAITING' }),
    close: () => Promise.resolve('CLOSED'),
    // Who sent it from an exchange has no address of his own: a person asks where to.
    refund: () => Promise.resolve({ state: 'REFUSED', reason: 'BY_HAND' }),
    readNotice: () => ({ ok: false, fault: 'FORGED' }),
  };
}

/** ERC-681: wallets fill the whole payment in from it. */
const tokenUri = (to: {
  contract: string;
  chainId: number;
  address: string;
  payNanos: Nanos;
}): string =>
  `ethereum:${to.contract}@${to.chainId}/transfer?address=${to.address}&uint256=${to.payNanos / TOKEN_UNIT_NANOS}`;
