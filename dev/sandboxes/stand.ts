import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { addressOfKey } from '../../activities/providers/evm-signing.ts';
import { AlipaySandbox } from './alipay.ts';
import { ChainSandbox } from './chain.ts';
import { payPage, tokenPage } from './pages.ts';
import { PaxumSandbox } from './paxum.ts';
import { PaypalSandbox } from './paypal.ts';
import { serveSandboxes } from './server.ts';
import { addressOf, FAKE_TOKEN, isAddress, TronSandbox } from './tron.ts';
import { WechatSandbox } from './wechat.ts';

/** Key pairs of the two sides of each wallet, and the key that pays USDT, as text that an environment can hold. */
export type SandboxKeys = Record<
  | `SANDBOX_${'ALIPAY' | 'WECHAT'}_${'OWN' | 'MERCHANT'}_${'PRIVATE' | 'PUBLIC'}`
  | 'SANDBOX_USDT_PAYOUT_KEY',
  string
>;

/** Fresh ones; 2048 bits take a moment. */
export function makeSandboxKeys(): SandboxKeys {
  const pair = (name: string): [string, string][] => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
      publicKeyEncoding: { type: 'spki', format: 'der' },
    });
    return [
      [`${name}_PRIVATE`, privateKey.toString('base64')],
      [`${name}_PUBLIC`, publicKey.toString('base64')],
    ];
  };
  const names = ['ALIPAY_OWN', 'ALIPAY_MERCHANT', 'WECHAT_OWN', 'WECHAT_MERCHANT'];
  return {
    ...Object.fromEntries(names.flatMap((name) => pair(`SANDBOX_${name}`))),
    SANDBOX_USDT_PAYOUT_KEY: randomBytes(32).toString('hex'),
  } as SandboxKeys;
}

const ALIPAY = { appId: '2021000000000001', sellerId: '2088000000000001' };
const WECHAT = {
  appId: 'wx0000000000000001',
  merchantId: '1900000001',
  apiKey: 'sandbox-sandbox-sandbox-sandbox!',
  publicKeyId: 'PUB_KEY_ID_SANDBOX',
};

const PAYPAL = { clientId: 'sandbox-client', secret: 'sandbox-secret' };

const PAXUM = { email: 'payer@platform.example', secret: 'sandbox-secret' };

/** A contract and an account of nobody; the key is the public half of a phrase that everybody knows. */
const TOKEN = {
  contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  chainId: 31_337,
  xpub: 'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP',
};

/** Likewise on TRON: the public half of `m/44'/195'/0'` of the same phrase. */
const TRON = {
  contract: addressOf('a0'.repeat(20)),
  chainId: 3_448_148_188,
  xpub: 'xpub6BuRy7ZmkGfP2RWhoor1kWB1w9DvrtmJbFBvnC1bQ4SB5NbCHTyQYCJSXZtxDbFyHTmC7wkU2he3nYYdpZ3Vf6qUAkXSnL6RPif4BDtDEKr',
};

/** What a platform is told (config-payments.ts) so that its wallets are these at `base`. */
export function sandboxEnv(base: string, keys: SandboxKeys): Record<string, string> {
  return {
    ALIPAY_GATEWAY: `${base}/gateway.do`,
    ALIPAY_APP_ID: ALIPAY.appId,
    ALIPAY_SELLER_ID: ALIPAY.sellerId,
    ALIPAY_PRIVATE_KEY: keys.SANDBOX_ALIPAY_MERCHANT_PRIVATE,
    ALIPAY_PUBLIC_KEY: keys.SANDBOX_ALIPAY_OWN_PUBLIC,
    WECHAT_API: base,
    WECHAT_APP_ID: WECHAT.appId,
    WECHAT_MERCHANT_ID: WECHAT.merchantId,
    WECHAT_SERIAL: 'SANDBOXMERCHANT',
    WECHAT_PRIVATE_KEY: keys.SANDBOX_WECHAT_MERCHANT_PRIVATE,
    WECHAT_API_KEY: WECHAT.apiKey,
    WECHAT_PUBLIC_KEY_ID: WECHAT.publicKeyId,
    WECHAT_PUBLIC_KEY: keys.SANDBOX_WECHAT_OWN_PUBLIC,
    USDT_RPC: `${base}/chain`,
    USDT_CHAIN_ID: String(TOKEN.chainId),
    USDT_CONTRACT: TOKEN.contract,
    USDT_XPUB: TOKEN.xpub,
    USDT_CONFIRMATIONS: '6',
    USDT_PAGE: `${base}/send`,
    TRON_RPC: `${base}/tron/jsonrpc`,
    TRON_SOLIDITY: `${base}/tron`,
    TRON_CHAIN_ID: String(TRON.chainId),
    TRON_CONTRACT: TRON.contract,
    TRON_XPUB: TRON.xpub,
    TRON_PAGE: `${base}/tron-send`,
    USDT_PAYOUT_ADDRESS: addressOfKey(keys.SANDBOX_USDT_PAYOUT_KEY),
    USDT_PAYOUT_KEY: keys.SANDBOX_USDT_PAYOUT_KEY,
    PAYPAL_API: base,
    PAYPAL_CLIENT_ID: PAYPAL.clientId,
    PAYPAL_SECRET: PAYPAL.secret,
    PAXUM_API: `${base}/paymentAPI.php`,
    PAXUM_EMAIL: PAXUM.email,
    PAXUM_SECRET: PAXUM.secret,
  };
}

export interface Sandboxes {
  alipay: AlipaySandbox;
  wechat: WechatSandbox;
  chain: ChainSandbox;
  tron: TronSandbox;
  paypal: PaypalSandbox;
  paxum: PaxumSandbox;
  server: Server;
  base: string;
  close(): Promise<void>;
}

/** All wallets at one address; `base` is told once it listens. */
export async function startSandboxes(keys: SandboxKeys, port = 0): Promise<Sandboxes> {
  let base = '';
  const alipay = new AlipaySandbox(
    {
      ...ALIPAY,
      privateKey: keys.SANDBOX_ALIPAY_OWN_PRIVATE,
      merchantKey: keys.SANDBOX_ALIPAY_MERCHANT_PUBLIC,
    },
    (orderNo) => `${base}/pay/alipay/${orderNo}`,
  );
  const wechat = new WechatSandbox(
    {
      ...WECHAT,
      privateKey: keys.SANDBOX_WECHAT_OWN_PRIVATE,
      merchantKey: keys.SANDBOX_WECHAT_MERCHANT_PUBLIC,
    },
    (orderNo) => `${base}/pay/wechat/${orderNo}`,
  );
  const chain = new ChainSandbox(TOKEN);
  const tron = new TronSandbox(TRON);
  const paypal = new PaypalSandbox(PAYPAL, () => base);
  const paxum = new PaxumSandbox(PAXUM);
  const wallet = (name: string, of: AlipaySandbox | WechatSandbox) => ({
    name,
    desk: of.desk,
    tellAbout: of.tellAbout.bind(of),
  });
  const server = serveSandboxes([
    ['/gateway.do', (asked) => alipay.answer(asked)],
    ['/v3/', (asked) => wechat.answer(asked)],
    ['/v1/', (asked) => paypal.answer(asked)],
    ['/paymentAPI.php', (asked) => paxum.answer(asked)],
    ['/chain', (asked) => chain.answer(asked)],
    ['/tron/', (asked) => tron.answer(asked)],
    ['/send/', tokenPage(walletOf(chain))],
    ['/tron-send/', tokenPage(tronWalletOf(tron))],
    ['/pay/', payPage({ alipay: wallet('Alipay', alipay), wechat: wallet('WeChat Pay', wechat) })],
    ['/', () => ({ status: 200, type: 'text/plain', body: 'sandboxes of payment providers' })],
  ]);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    alipay,
    wechat,
    chain,
    tron,
    paypal,
    paxum,
    server,
    base,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

const walletOf = (chain: ChainSandbox) => ({
  head: () => chain.head,
  isAddress: (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text),
  send: (to: string, value: bigint) => void chain.send(to, value),
  sendFake: (to: string, value: bigint) => void chain.send(to, value, `0x${'fa'.repeat(20)}`),
  takeBack: (blocks: number) => chain.reorganise(blocks, false),
});

const tronWalletOf = (tron: TronSandbox) => ({
  head: () => tron.head,
  isAddress,
  send: (to: string, value: bigint) => void tron.send({ to, value }),
  sendFake: (to: string, value: bigint) => void tron.send({ to, value, contract: FAKE_TOKEN }),
  takeBack: (blocks: number) => tron.fork(blocks, false),
});
