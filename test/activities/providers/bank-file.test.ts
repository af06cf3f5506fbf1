import { XMLParser, XMLValidator } from 'fast-xml-parser';
import {
  type BankAccountFields,
  readBankAccount,
} from '../../../activities/withdrawals/payout-accounts.ts';
import { writeBankFile } from '../../../activities/providers/bank-file.ts';

/**
 * The rules of pain.001.001.09 for the elements that are used: which children, in which order
 * (`?` may be absent), or what the text looks like.
 */
const MAX_35 = /^.{1,35}$/u;
const NAME = /^.{1,140}$/u;
const AMOUNT = /^\d{1,16}\.\d{2}$/;
const RULES: Record<string, readonly string[] | RegExp> = {
  Document: ['CstmrCdtTrfInitn'],
  CstmrCdtTrfInitn: ['GrpHdr', 'PmtInf'],
  GrpHdr: ['MsgId', 'CreDtTm', 'NbOfTxs', 'CtrlSum?', 'InitgPty'],
  MsgId: MAX_35,
  CreDtTm: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/,
  NbOfTxs: /^[0-9]{1,15}$/,
  CtrlSum: AMOUNT,
  InitgPty: ['Nm'],
  Nm: NAME,
  PmtInf: [
    'PmtInfId',
    'PmtMtd',
    'BtchBookg?',
    'NbOfTxs?',
    'CtrlSum?',
    'ReqdExctnDt',
    'Dbtr',
    'DbtrAcct',
    'DbtrAgt',
    'ChrgBr?',
    'CdtTrfTxInf',
  ],
  PmtInfId: MAX_35,
  PmtMtd: /^(CHK|TRF|TRA)$/,
  BtchBookg: /^(true|false)$/,
  ReqdExctnDt: ['Dt'],
  Dt: /^\d{4}-\d{2}-\d{2}$/,
  Dbtr: ['Nm'],
  DbtrAcct: ['Id'],
  DbtrAgt: ['FinInstnId'],
  ChrgBr: /^(DEBT|CRED|SHAR|SLEV)$/,
  CdtTrfTxInf: ['PmtId', 'Amt', 'CdtrAgt', 'Cdtr', 'CdtrAcct', 'RmtInf'],
  PmtId: ['EndToEndId'],
  EndToEndId: MAX_35,
  Amt: ['InstdAmt'],
  InstdAmt: AMOUNT,
  CdtrAgt: ['FinInstnId'],
  FinInstnId: ['BICFI?', 'ClrSysMmbId?', 'Nm?', 'Othr?'],
  BICFI: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/,
  ClrSysMmbId: ['ClrSysId?', 'MmbId'],
  ClrSysId: ['Cd'],
  Cd: /^.{1,5}$/,
  MmbId: MAX_35,
  Cdtr: ['Nm', 'PstlAdr?'],
  PstlAdr: ['Ctry'],
  Ctry: /^[A-Z]{2}$/,
  CdtrAcct: ['Id'],
  Id: ['IBAN?', 'Othr?'],
  IBAN: /^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/,
  RmtInf: ['Ustrd'],
  Ustrd: NAME,
};

type Node = Record<string, Node[] | string>;

/** Every element against its rule; answers what breaks one. */
function breaches(nodes: readonly Node[], parent = ''): string[] {
  return nodes.flatMap((node) => {
    const [name = ''] = Object.keys(node).filter((key) => key !== ':@');
    const children = (node[name] ?? []) as Node[];
    if (name === 'Othr')
      return children.length === 1 && 'Id' in (children[0] ?? {}) ? [] : ['Othr'];
    const rule = RULES[name];
    if (rule === undefined) return [`${parent}/${name} is not known`];
    const names = children.map((child) => Object.keys(child)[0] ?? '');
    if (rule instanceof RegExp) {
      const text = (children[0] as { '#text'?: unknown } | undefined)?.['#text'];
      return rule.test(String(text)) ? [] : [`${name} is "${String(text)}"`];
    }
    const order = rule.map((each) => each.replace('?', ''));
    const required = rule.filter((each) => !each.endsWith('?'));
    const sorted = [...names].sort((a, b) => order.indexOf(a) - order.indexOf(b));
    return [
      ...(sorted.join() === names.join() && names.every((each) => order.includes(each))
        ? []
        : [`${name} has ${names.join()}`]),
      ...required.filter((each) => !names.includes(each)).map((each) => `${name} lacks ${each}`),
      ...breaches(children, name),
    ];
  });
}

const parse = (xml: string): Node[] =>
  new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    ignoreDeclaration: true,
    parseTagValue: false,
  }).parse(xml) as Node[];

const ORIGIN = { name: 'Advertising Platform', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };

const fileFor = (fields: BankAccountFields, amount = '95.00'): string =>
  writeBankFile(ORIGIN, {
    reference: 'WD-12',
    currency: 'USD',
    total: amount,
    payments: [{ reference: 'WD-12', amount, account: readBankAccount(fields) }],
    createdAt: new Date('2026-03-04T05:06:07.890Z'),
  });

const HOLDER = { account_holder: 'Ada Lovelace', currency: 'USD' };

describe('writeBankFile', () => {
  test.each<[string, BankAccountFields]>([
    ['an IBAN alone', { ...HOLDER, country: 'FR', iban: 'FR1420041010050500013M02606' }],
    [
      'an IBAN with BIC and bank',
      {
        ...HOLDER,
        country: 'DE',
        iban: ORIGIN.iban,
        swift_bic: 'COBADEFF',
        bank_name: 'Commerzbank',
      },
    ],
    [
      'a US account',
      { ...HOLDER, country: 'US', account_number: '123456789', routing_number: '021000021' },
    ],
    ['a UK account', { ...HOLDER, country: 'GB', account_number: '31926819', sort_code: '601613' }],
    [
      'a Chinese account',
      {
        ...HOLDER,
        account_holder: '王小明',
        country: 'CN',
        account_number: '6222020000000000000',
        cnaps_code: '102100099996',
      },
    ],
    [
      'an account elsewhere',
      { ...HOLDER, country: 'JP', account_number: '1234567', swift_bic: 'BOTKJPJT' },
    ],
  ])('%s · written · well-formed and by the rules of the schema', (_name, fields) => {
    const xml = fileFor(fields);
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(breaches(parse(xml))).toEqual([]);
    expect(xml).toContain('xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"');
    expect(xml.match(/<CtrlSum>95\.00</g)).toHaveLength(2);
    expect(xml).toContain('<InstdAmt Ccy="USD">95.00</InstdAmt>');
  });

  it('a name with markup and accents · written · says the name, adds no element', () => {
    const xml = fileFor({
      ...HOLDER,
      account_holder: 'Zoë </Nm><Amt> & "Søns" 🎩',
      country: 'FR',
      iban: 'FR1420041010050500013M02606',
    });
    expect(breaches(parse(xml))).toEqual([]);
    expect(xml).toContain('<Nm>Zoe /Nm Amt Søns</Nm>');
  });

  it('several payments · written · one order to the bank, by the rules of the schema', () => {
    const fields = { ...HOLDER, country: 'FR', iban: 'FR1420041010050500013M02606' };
    const account = readBankAccount(fields);
    const xml = writeBankFile(ORIGIN, {
      reference: 'PF-3',
      currency: 'USD',
      total: '195.50',
      payments: [
        { reference: 'WD-12', amount: '95.00', account },
        { reference: 'WD-13', amount: '100.50', account },
      ],
      createdAt: new Date('2026-03-04T05:06:07.890Z'),
    });
    expect(breaches(parse(xml))).toEqual([]);
    expect(xml.match(/<NbOfTxs>2</g)).toHaveLength(2);
    expect(xml.match(/<CtrlSum>195\.50</g)).toHaveLength(2);
    expect(xml.match(/<CdtTrfTxInf>/g)).toHaveLength(2);
    expect(xml.match(/<PmtInfId>PF-3</g)).toHaveLength(1);
  });

  it('the same payment twice · written · the same bytes', () => {
    const fields = { ...HOLDER, country: 'FR', iban: 'FR1420041010050500013M02606' };
    expect(fileFor(fields)).toBe(fileFor(fields));
  });

  it.each([
    [
      'elements out of order',
      (xml: string) => xml.replace(/(<MsgId>.*<\/MsgId>)\s*(<CreDtTm>.*<\/CreDtTm>)/, '$2$1'),
    ],
    [
      'an amount of three decimals',
      (xml: string) => xml.replace('>95.00</InstdAmt', '>95.001</InstdAmt'),
    ],
    ['no debtor', (xml: string) => xml.replace(/<Dbtr>[\s\S]*?<\/Dbtr>/, '')],
    ['an unknown element', (xml: string) => xml.replace('<ChrgBr>', '<Extra>x</Extra><ChrgBr>')],
  ])('%s · planted · the check tells', (_name, spoil) => {
    const xml = fileFor({ ...HOLDER, country: 'FR', iban: 'FR1420041010050500013M02606' });
    expect(breaches(parse(spoil(xml)))).not.toEqual([]);
  });
});
