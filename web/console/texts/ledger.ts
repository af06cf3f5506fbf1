import { texts } from '../parts/texts.ts';
import { ledgerNamesInChinese } from './ledger-zh.ts';
import { methods } from './methods.ts';

const spoken = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

/** An account of the books, by what its code says without ids (domain/ledger/chart.ts). */
const kindOf = (code: string): string => code.replaceAll(/:\d+/g, '');

/** `w:bank` and `suspense:usdt`: by which way money came or went. */
const wayOf = (code: string, names: Readonly<Record<string, string>>): string | null => {
  const [, way] = /^(?:w|suspense):(.+)$/.exec(code) ?? [];
  if (way === undefined) return null;
  return names[way.toUpperCase()] ?? way.toUpperCase();
};

const ACCOUNTS: Readonly<Record<string, string>> = {
  'adv:available': 'Advertiser balance, available',
  'adv:refund_hold': 'Advertiser balance, held for a refund',
  'pub:earned': 'Publisher earnings, not yet matured',
  'pub:withdrawable': 'Publisher earnings, withdrawable',
  'pub:hold': 'Publisher earnings, held for withdrawals',
  'pub:debt': 'Publisher debt',
  'clearing:billing': 'Clearing of billing',
  'clearing:corrections': 'Clearing of corrections',
  'platform:revenue': 'Platform revenue',
  'platform:appeal_cost': 'Cost of upheld appeals',
  'platform:payout_fee': 'Payout fees',
  'tax:payable': 'Withheld tax, payable',
};
const ACCOUNTS_ZH: Readonly<Record<string, string>> = {
  'adv:available': '广告主可用余额',
  'adv:refund_hold': '广告主退款冻结',
  'pub:earned': '媒体待成熟收入',
  'pub:withdrawable': '媒体可提现收入',
  'pub:hold': '媒体提现冻结',
  'pub:debt': '媒体欠款',
  'clearing:billing': '计费清算',
  'clearing:corrections': '更正清算',
  'platform:revenue': '平台收入',
  'platform:appeal_cost': '申诉成立的成本',
  'platform:payout_fee': '提现手续费收入',
  'tax:payable': '应交代扣税款',
};

/** Kinds of transfers and of their batches, and accounts: names of the books, which the API lists (interface 5.2). */
export const ledgerTexts = texts({
  en: {
    kind: spoken,
    account: (code: string) => {
      const way = wayOf(code, methods.en);
      if (way === null) return ACCOUNTS[kindOf(code)] ?? code;
      return code.startsWith('w:') ? `Outside: ${way}` : `Suspense: ${way}`;
    },
  },
  zh: {
    kind: (name) => ledgerNamesInChinese[name] ?? spoken(name),
    account: (code) => {
      const way = wayOf(code, methods.zh);
      if (way === null) return ACCOUNTS_ZH[kindOf(code)] ?? code;
      return code.startsWith('w:') ? `外部账户：${way}` : `暂记账户：${way}`;
    },
  },
});
