/** What of the configuration an adapter needs; Config has all of it (config-payments.ts). */
export interface AlipayMerchant {
  gateway: string;
  appId: string;
  sellerId: string | null;
  privateKey: string;
  publicKey: string;
}

export interface WechatMerchant {
  api: string;
  appId: string;
  merchantId: string;
  serial: string;
  privateKey: string;
  apiKey: string;
  publicKeyId: string;
  publicKey: string;
}

export interface TokenMerchant {
  rpc: string;
  chainId: number;
  contract: string;
  xpub: string;
  confirmations: number;
  /** Development only: where a browser sends tokens. */
  page: string | null;
}

/** Likewise on TRON: a node that answers both (chain-tron.ts). */
export interface TronMerchant {
  rpc: string;
  solidity: string;
  apiKey: string | null;
  chainId: number;
  contract: string;
  xpub: string;
  page: string | null;
}

/** Who is named on a bank transfer. */
export interface PayeeAccount {
  name: string;
  iban: string;
  bic: string;
  bank: string | null;
}

export interface RailSettings {
  alipay: AlipayMerchant | null;
  wechat: WechatMerchant | null;
  usdt: TokenMerchant | null;
  tron: TronMerchant | null;
  payee: PayeeAccount | null;
  askSeconds: number;
}
