import { hexOfTron } from './activities/providers/tron-address.ts';
import { SAMPLE_ORIGIN } from './domain/payout-terms.ts';

/** Merchant of Alipay's gateway. Keys are PEM, or what stands between a PEM's lines. */
export interface AlipaySettings {
  gateway: string;
  appId: string;
  /** Null: any seller that the application may sell for. */
  sellerId: string | null;
  privateKey: string;
  /** Alipay's own, not the application's. */
  publicKey: string;
}

/** Merchant of WeChat Pay's API v3. */
export interface WechatSettings {
  api: string;
  appId: string;
  merchantId: string;
  /** Of the merchant's certificate, by which requests are signed. */
  serial: string;
  privateKey: string;
  /** 32 bytes of text, which seal what a notification says. */
  apiKey: string;
  /** WeChat Pay's own key and the id (or certificate's serial) that its signatures name. */
  publicKeyId: string;
  publicKey: string;
}

/** A token on a chain that answers Ethereum's JSON-RPC. */
export interface TokenSettings {
  rpc: string;
  chainId: number;
  contract: string;
  /** Extended public key; the address of an order is its child `0/<order>`. No private key is known here. */
  xpub: string;
  confirmations: number;
  /** Development only: a page that sends tokens, which `<address>/<amount>` is added to. */
  page: string | null;
}

/** The same token on TRON, by a node that answers JSON-RPC and `/walletsolidity`. */
export interface TronSettings extends Pick<TokenSettings, 'rpc' | 'chainId' | 'xpub' | 'page'> {
  /** What `/walletsolidity/…` is added to. */
  solidity: string;
  /** `T…`, its checksum right. */
  contract: string;
  /** Of TronGrid; null: none. */
  apiKey: string | null;
}

/** Who is named on a bank transfer. */
export interface Payee {
  name: string;
  iban: string;
  bic: string;
  bank: string | null;
}

export interface PaymentSettings {
  /** Null: the method is not usable. */
  alipay: AlipaySettings | null;
  wechat: WechatSettings | null;
  usdt: TokenSettings | null;
  tron: TronSettings | null;
  payee: Payee | null;
  /** Seconds between two questions about an order that waits. */
  askSeconds: number;
}

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * What money can come in by. Each method is whole or absent: some of its variables without the others
 * are a fault. Unset, BANK has the sample account outside production.
 */
export function paymentsOf(env: Env, production: boolean, faults: string[]): PaymentSettings {
  const read = <Name extends string>(prefix: string, names: readonly Name[]) =>
    group(env, prefix, names, faults);
  const alipay = read('ALIPAY', ['GATEWAY', 'APP_ID', 'PRIVATE_KEY', 'PUBLIC_KEY']);
  const wechat = read('WECHAT', [
    'API',
    'APP_ID',
    'MERCHANT_ID',
    'SERIAL',
    'PRIVATE_KEY',
    'API_KEY',
    'PUBLIC_KEY_ID',
    'PUBLIC_KEY',
  ]);
  const usdt = read('USDT', ['RPC', 'CHAIN_ID', 'CONTRACT', 'XPUB']);
  const payee = read('DEPOSIT_BANK', ['NAME', 'IBAN', 'BIC']);
  const confirmations = count(env, 'USDT_CONFIRMATIONS', 12, faults);
  if (wechat !== null && Buffer.byteLength(wechat.API_KEY) !== 32) {
    faults.push('WECHAT_API_KEY must be 32 bytes of text');
  }
  if (usdt !== null) checkToken(usdt, faults);
  if (production && given(env['USDT_PAGE']) !== undefined) {
    faults.push('USDT_PAGE is refused in production');
  }
  checkAddresses(
    { ALIPAY_GATEWAY: alipay?.GATEWAY, WECHAT_API: wechat?.API, USDT_RPC: usdt?.RPC },
    production,
    faults,
  );
  return {
    alipay: alipay && {
      gateway: alipay.GATEWAY,
      appId: alipay.APP_ID,
      sellerId: given(env['ALIPAY_SELLER_ID']) ?? null,
      privateKey: alipay.PRIVATE_KEY,
      publicKey: alipay.PUBLIC_KEY,
    },
    wechat: wechat && {
      api: wechat.API.replace(/\/+$/, ''),
      appId: wechat.APP_ID,
      merchantId: wechat.MERCHANT_ID,
      serial: wechat.SERIAL,
      privateKey: wechat.PRIVATE_KEY,
      apiKey: wechat.API_KEY,
      publicKeyId: wechat.PUBLIC_KEY_ID,
      publicKey: wechat.PUBLIC_KEY,
    },
    usdt: usdt && {
      rpc: usdt.RPC,
      chainId: count(env, 'USDT_CHAIN_ID', 1, faults),
      contract: usdt.CONTRACT.toLowerCase(),
      xpub: usdt.XPUB,
      confirmations,
      page: given(env['USDT_PAGE']) ?? null,
    },
    tron: tronOf(env, production, faults),
    payee: payeeOf(payee, given(env['DEPOSIT_BANK_BANK']) ?? null, production),
    askSeconds: count(env, 'PAYMENT_ASK_SECONDS', 30, faults),
  };
}

function tronOf(env: Env, production: boolean, faults: string[]): TronSettings | null {
  const names = ['RPC', 'SOLIDITY', 'CHAIN_ID', 'CONTRACT', 'XPUB'] as const;
  const tron = group(env, 'TRON', names, faults);
  const page = given(env['TRON_PAGE']) ?? null;
  if (production && page !== null) faults.push('TRON_PAGE is refused in production');
  if (tron === null) return null;
  checkKey('TRON_XPUB', tron.XPUB, faults);
  if (hexOfTron(tron.CONTRACT) === null) {
    faults.push('TRON_CONTRACT must be an address of TRON (T…) with a right checksum');
  }
  checkAddresses({ TRON_RPC: tron.RPC, TRON_SOLIDITY: tron.SOLIDITY }, production, faults);
  return {
    rpc: tron.RPC,
    solidity: tron.SOLIDITY.replace(/\/+$/, ''),
    chainId: count(env, 'TRON_CHAIN_ID', 1, faults),
    contract: tron.CONTRACT,
    xpub: tron.XPUB,
    apiKey: given(env['TRON_API_KEY']) ?? null,
    page,
  };
}

function checkKey(name: string, xpub: string, faults: string[]): void {
  if (/^[a-z]pub/.test(xpub)) return;
  faults.push(`${name} must be an extended public key: a private one is nobody’s to know here`);
}

function checkToken(
  { XPUB, CONTRACT }: Record<'XPUB' | 'CONTRACT', string>,
  faults: string[],
): void {
  checkKey('USDT_XPUB', XPUB, faults);
  if (!/^0x[0-9a-fA-F]{40}$/.test(CONTRACT)) faults.push('USDT_CONTRACT must be an address');
}

/** What is signed may be read on its way, and a key of a node is part of its address. */
export function checkAddresses(
  addresses: Readonly<Record<string, string | undefined>>,
  production: boolean,
  faults: string[],
): void {
  const form = production ? /^https:\/\/\S+$/ : /^https?:\/\/\S+$/;
  for (const [name, address] of Object.entries(addresses)) {
    if (address === undefined || form.test(address)) continue;
    faults.push(`${name} must be ${production ? '' : 'http://… or '}https://…`);
  }
}

function payeeOf(
  payee: Record<'NAME' | 'IBAN' | 'BIC', string> | null,
  bank: string | null,
  production: boolean,
): Payee | null {
  if (payee === null) return production ? null : { ...SAMPLE_ORIGIN, bank };
  return {
    name: payee.NAME,
    iban: payee.IBAN.replace(/\s/g, '').toUpperCase(),
    bic: payee.BIC,
    bank,
  };
}

export function group<Name extends string>(
  env: Env,
  prefix: string,
  names: readonly Name[],
  faults: string[],
): Record<Name, string> | null {
  const entries = names.map((name) => [name, given(env[`${prefix}_${name}`])] as const);
  const missing = entries.flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === names.length) return null;
  if (missing.length > 0) {
    faults.push(
      `${prefix}_${missing.join(`, ${prefix}_`)} must be set with the others of ${prefix}`,
    );
    return null;
  }
  return Object.fromEntries(entries) as Record<Name, string>;
}

export const given = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim();

export function count(env: Env, name: string, fallback: number, faults: string[]): number {
  const text = given(env[name]);
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,9}$/.test(text)) faults.push(`${name} must be a whole number above 0`);
  return Number(text);
}
