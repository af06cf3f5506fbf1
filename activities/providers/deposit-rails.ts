import {
  isRail,
  RAIL_METHODS,
  type RailMethod,
  type TokenNetwork,
  type UnusableReason,
} from '../../domain/deposit-terms.ts';
import type { DepositMethod } from '../../domain/lifecycle/deposit.ts';
import { createAlipay } from './deposit-alipay.ts';
import { createWechat } from './deposit-wechat.ts';
import { createUsdt } from './deposit-usdt.ts';
import { createEvmChain } from './chain-evm.ts';
import { createTronChain } from './chain-tron.ts';
import type { Chain } from './chain-port.ts';
import type { DepositProvider } from './deposit-port.ts';
import type { PayeeAccount, RailSettings } from './deposit-settings.ts';

/** The ways by which money of advertisers comes in. */
export interface DepositRails {
  provider(method: RailMethod): DepositProvider | undefined;
  payee: PayeeAccount | null;
  /** Chains that tokens are taken on, the one that is taken unasked first. */
  networks: readonly TokenNetwork[];
  /** Chains that are watched. */
  chains(): readonly Chain[];
  /** Seconds between two questions about an order that waits. */
  askSeconds(method: RailMethod): number;
  /** Null: the method can be used. */
  unusable(method: DepositMethod): UnusableReason | null;
}

/** Adapters are made when they are first needed: what is not configured costs nothing. */
export function composeRails(settings: RailSettings, baseUrl: string): DepositRails {
  const { payee, askSeconds } = settings;
  const notifyUrl = (method: RailMethod) => `${baseUrl}/payments/${method.toLowerCase()}/notices`;
  const makers: Partial<Record<RailMethod, () => DepositProvider>> = {};
  const { alipay, wechat, usdt, tron } = settings;
  if (alipay !== null) makers.ALIPAY = () => createAlipay(alipay, notifyUrl('ALIPAY'));
  if (wechat !== null) makers.WECHAT = () => createWechat(wechat, notifyUrl('WECHAT'));
  if (usdt !== null || tron !== null) makers.USDT = () => createUsdt({ usdt, tron });
  let chains: readonly Chain[] | undefined;
  const made = new Map<RailMethod, DepositProvider>();
  const provider = (method: RailMethod): DepositProvider | undefined => {
    const existing = made.get(method);
    const fresh = existing ?? makers[method]?.();
    if (fresh !== undefined) made.set(method, fresh);
    return fresh;
  };
  return {
    provider,
    payee,
    networks: [
      ...(usdt === null ? [] : (['ERC20'] as const)),
      ...(tron === null ? [] : (['TRC20'] as const)),
    ],
    chains: () =>
      (chains ??= [
        ...(usdt === null ? [] : [createEvmChain(usdt)]),
        ...(tron === null ? [] : [createTronChain(tron)]),
      ]),
    // A chain is watched: a question only finds out that something is on its way.
    askSeconds: (method) => (method === 'USDT' ? Math.max(60, askSeconds) : askSeconds),
    unusable: (method) => {
      if (isRail(method)) return makers[method] === undefined ? 'NO_PROVIDER' : null;
      return method === 'BANK' && payee === null ? 'NO_PAYEE_ACCOUNT' : null;
    },
  };
}

export const railOf = (name: string): RailMethod | undefined =>
  RAIL_METHODS.find((method) => method.toLowerCase() === name);
