import type { TokenNetwork } from '../../domain/deposit-terms.ts';
import type { Nanos } from '../../domain/money.ts';
import { TRON_CONFIRMATIONS } from './chain-tron.ts';
import type { DepositProvider, PaymentOrder } from './deposit-port.ts';
import type { TokenMerchant, TronMerchant } from './deposit-settings.ts';
import { addressOfChild } from './evm-address.ts';
import { tronAddressOfChild } from './tron-address.ts';

const TOKEN_UNIT_NANOS = 1_000n;

/** Null: nothing is taken on that chain. */
export interface TokenMerchants {
  usdt: TokenMerchant | null;
  tron: TronMerchant | null;
}

/**
 * USDT to an address of the order's own, on the chain that its payer chose. Nobody is told and nobody
 * notifies: chains are watched (activities/deposits/chain-watch.ts), also for what comes after an order has
 * ended.
 */
export function createUsdt({ usdt, tron }: TokenMerchants): DepositProvider {
  return {
    open(order) {
      const target =
        order.network === 'TRC20' ? tron && onTron(tron, order) : usdt && onEvm(usdt, order);
      if (target === null) throw new Error('no address can be made on this chain any more');
      const network: TokenNetwork = order.network ?? 'ERC20';
      return Promise.resolve({
        state: 'OPEN',
        instructions: { kind: 'ADDRESS', network, ...target },
      });
    },
    query: () => Promise.resolve({ state: 'WAITING' }),
    close: () => Promise.resolve('CLOSED'),
    // Who sent it from an exchange has no address of his own: a person asks where to.
    refund: () => Promise.resolve({ state: 'REFUSED', reason: 'BY_HAND' }),
    queryRefund: () => Promise.resolve({ state: 'REFUSED', reason: 'BY_HAND' }),
    readNotice: () => ({ ok: false, fault: 'FORGED' }),
  };
}

type Payable = Pick<PaymentOrder, 'depositId' | 'payNanos'>;

function onEvm(merchant: TokenMerchant, { depositId, payNanos }: Payable) {
  const { xpub, contract, chainId, confirmations } = merchant;
  const address = addressOfChild(xpub, depositId);
  const qr = tokenUri({ contract, chainId, address, payNanos });
  return { address, contract, confirmations, qr, page: pageOf(merchant, address, payNanos) };
}

/** No way to write a payment is known to all of TRON's wallets: the code is the address alone. */
function onTron(merchant: TronMerchant, { depositId, payNanos }: Payable) {
  const { xpub, contract } = merchant;
  const address = tronAddressOfChild(xpub, depositId);
  const page = pageOf(merchant, address, payNanos);
  return { address, contract, confirmations: TRON_CONFIRMATIONS, qr: address, page };
}

const pageOf = (
  { page }: { page: string | null },
  address: string,
  payNanos: Nanos,
): string | null => (page === null ? null : `${page}/${address}/${payNanos / TOKEN_UNIT_NANOS}`);

/** ERC-681: wallets fill the whole payment in from it. */
const tokenUri = (to: {
  contract: string;
  chainId: number;
  address: string;
  payNanos: Nanos;
}): string =>
  `ethereum:${to.contract}@${to.chainId}/transfer?address=${to.address}&uint256=${to.payNanos / TOKEN_UNIT_NANOS}`;
