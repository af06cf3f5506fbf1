import { XMLBuilder } from 'fast-xml-parser';
import type { BankAccount } from '../withdrawals/payout-accounts.ts';

/** The account that payouts leave from. */
export interface PaymentOrigin {
  name: string;
  iban: string;
  bic: string;
}

export interface BankPayment {
  /** The bank's statement names the withdrawal by it. */
  reference: string;
  /** Two decimals. */
  amount: string;
  account: BankAccount;
}

export interface BankOrders {
  /** What the bank knows the file by: the payment's own where there is one alone. */
  reference: string;
  currency: string;
  /** The sum of the payments, two decimals. */
  total: string;
  payments: readonly BankPayment[];
  createdAt: Date;
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/**
 * A customer credit transfer initiation (pain.001.001.09). The order of elements is the schema's. Text is
 * brought to the characters that banks exchange; the references are ours and fit already.
 */
export function writeBankFile(origin: PaymentOrigin, orders: BankOrders): string {
  const { reference, currency, payments } = orders;
  const created = orders.createdAt.toISOString();
  const totals = { NbOfTxs: String(payments.length), CtrlSum: orders.total };
  const document = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    Document: {
      '@xmlns': NAMESPACE,
      CstmrCdtTrfInitn: {
        GrpHdr: {
          MsgId: reference,
          CreDtTm: created.slice(0, 19),
          ...totals,
          InitgPty: { Nm: bankText(origin.name, 70) },
        },
        PmtInf: {
          PmtInfId: reference,
          PmtMtd: 'TRF',
          // Each on the statement for itself: a debit of their sum names none of them.
          ...(payments.length > 1 ? { BtchBookg: 'false' } : {}),
          ...totals,
          ReqdExctnDt: { Dt: created.slice(0, 10) },
          Dbtr: { Nm: bankText(origin.name, 70) },
          DbtrAcct: { Id: { IBAN: origin.iban } },
          DbtrAgt: { FinInstnId: { BICFI: origin.bic } },
          ChrgBr: 'SHAR',
          CdtTrfTxInf: payments.map((payment) => transferOf(payment, currency)),
        },
      },
    },
  };
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    textNodeName: '#text',
    format: true,
    suppressEmptyNode: true,
  });
  return builder.build(document);
}

const transferOf = ({ reference, amount, account }: BankPayment, currency: string): object => ({
  PmtId: { EndToEndId: reference },
  Amt: { InstdAmt: { '@Ccy': currency, '#text': amount } },
  CdtrAgt: { FinInstnId: agentOf(account) },
  Cdtr: { Nm: bankText(account.accountHolder, 70), PstlAdr: { Ctry: account.country } },
  CdtrAcct: { Id: accountIdOf(account) },
  RmtInf: { Ustrd: bankText(`Withdrawal ${reference}`, 140) },
});

/** How the receiving bank is named: by BIC, by its national clearing number, or by nothing but the IBAN. */
function agentOf(account: BankAccount): object {
  const clearing = clearingOf(account);
  const known = {
    ...(account.swiftBic === null ? {} : { BICFI: account.swiftBic }),
    ...(clearing === null
      ? {}
      : { ClrSysMmbId: { ClrSysId: { Cd: clearing.system }, MmbId: clearing.member } }),
    ...(account.bankName === null ? {} : { Nm: bankText(account.bankName, 140) }),
  };
  return Object.keys(known).length > 0 ? known : { Othr: { Id: 'NOTPROVIDED' } };
}

function clearingOf(account: BankAccount): { system: string; member: string } | null {
  const { routingNumber, sortCode, cnapsCode } = account;
  if (routingNumber !== null) return { system: 'USABA', member: routingNumber };
  if (sortCode !== null) return { system: 'GBDSC', member: sortCode };
  if (cnapsCode !== null) return { system: 'CNAPS', member: cnapsCode };
  return null;
}

const accountIdOf = ({ iban, accountNumber }: BankAccount): object =>
  iban === null ? { Othr: { Id: accountNumber ?? '' } } : { IBAN: iban };

/** Latin letters lose their accents; what is neither letter, digit nor plain punctuation becomes a blank. */
const bankText = (text: string, max: number): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}/\-?:().,'+ ]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, max)
    .trim();
