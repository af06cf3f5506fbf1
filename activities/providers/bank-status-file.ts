import { at, type Rules } from '../../domain/bank-statement/lines.ts';
import { payoutReferencesIn } from '../../domain/bank-statement/match.ts';
import { readDay, readMoney } from '../../domain/bank-statement/values.ts';
import { inOneLine } from '../../domain/control-characters.ts';
import type { FieldError } from '../../domain/errors.ts';
import { type BankRemark, isFileReference, statusOfCode } from '../../domain/payout-status.ts';
import { type BankMessage, listOf, type Node, nodeOf, openBankXml, wordOf } from './bank-xml.ts';
import { readEntries } from './camt-statement.ts';

export interface StatusFile {
  kind: 'PAIN002' | 'CAMT054';
  /** Of a camt.054: which account was debited. */
  account: string | null;
  remarks: BankRemark[];
}

type Read = StatusFile | { faults: FieldError[] };

const STATUS_REPORT: BankMessage = { message: 'pain.002', body: 'CstmrPmtStsRpt' };
const NOTIFICATION: BankMessage = { message: 'camt.054', body: 'BkToCstmrDbtCdtNtfctn' };
const REMARKS_MAX = 500;
const FAULTS_MAX = 20;
const WORDS_MAX = 300;

/**
 * What a bank says of orders that were carried to it: a pain.002 of any version, or the booked debits of a
 * camt.054. Everything that is wrong is named, and then nothing of the file counts (interface 5.12).
 */
export function readStatusFile(bytes: Uint8Array, rules: Rules): Read {
  const isNotification = Buffer.from(bytes).includes('BkToCstmrDbtCdtNtfctn');
  const content = openBankXml(bytes, isNotification ? NOTIFICATION : STATUS_REPORT);
  if ('faults' in content) return content as { faults: FieldError[] };
  const read = isNotification ? readNotification(content, rules) : readReport(content, rules);
  if ('faults' in read) return { faults: read.faults.slice(0, FAULTS_MAX) };
  const { remarks } = read;
  if (remarks.length > REMARKS_MAX) {
    const message = `the file speaks of more than ${REMARKS_MAX} orders; split it.`;
    return { faults: [at(REMARKS_MAX, null, 'too_many', message)] };
  }
  const seen = new Set<string>();
  const repeated = remarks.filter(({ reference }) => seen.size === seen.add(reference).size);
  if (repeated.length === 0) return read;
  const faults = repeated.map(({ line, reference }) =>
    at(line, null, 'repeated', `${reference} is in the file twice.`),
  );
  return { faults: faults.slice(0, FAULTS_MAX) };
}

/** Credits and what is only announced say nothing of our orders; nor does a debit that names none. */
function readNotification(content: Node, rules: Rules): Read {
  const notices = readEntries(listOf(content['Ntfctn']), rules);
  if ('faults' in notices) return notices;
  const remarks = notices.others.flatMap((movement): BankRemark[] => {
    const { line, direction, isReversal, amountNanos } = movement;
    const [reference, ...more] = payoutReferencesIn(movement.remittance, movement.reference);
    if (direction !== 'OUT' || isReversal || reference === undefined || more.length > 0) return [];
    const bankReference = movement.reference;
    const said = { status: 'BOOKED', code: 'BOOK', reason: null, words: null } as const;
    return [{ line, reference, file: null, ...said, amountNanos, bankReference }];
  });
  return { kind: 'CAMT054', account: notices.account, remarks };
}

/** The status of a payment, else of its batch, else of the whole message, which is of all payments in it. */
function readReport(content: Node, rules: Rules): Read {
  const group = nodeOf(content['OrgnlGrpInfAndSts']);
  const created = readDay(wordOf(nodeOf(content['GrpHdr'])['CreDtTm']), 'YYYY-MM-DD');
  const faults: FieldError[] = [];
  if (created === undefined || created > rules.today) {
    faults.push(at(1, null, 'date', 'the file has no day, or one that is to come.'));
  }
  if (!wordOf(group['OrgnlMsgNmId']).startsWith('pain.001')) {
    faults.push(at(1, null, 'format', 'the file is not about a pain.001.'));
  }
  const told: Told[] = [];
  for (const batch of listOf(content['OrgnlPmtInfAndSts'])) {
    const payments = listOf(batch['TxInfAndSts']);
    const ofBatch = { id: wordOf(batch['OrgnlPmtInfId']), code: wordOf(batch['PmtInfSts']) };
    for (const payment of payments) {
      const id = wordOf(payment['OrgnlEndToEndId']);
      const code = wordOf(payment['TxSts']);
      told.push({
        id: id === '' ? ofBatch.id : id,
        batch: ofBatch.id,
        code: code === '' ? ofBatch.code : code,
        isWhole: false,
        from: [payment, batch, group],
        amount: nodeOf(nodeOf(payment['OrgnlTxRef'])['Amt'])['InstdAmt'],
      });
    }
    if (payments.length === 0) {
      const from = [batch, group];
      told.push({ ...ofBatch, batch: ofBatch.id, isWhole: true, from, amount: undefined });
    }
  }
  const ofGroup = { id: wordOf(group['OrgnlMsgId']), code: wordOf(group['GrpSts']) };
  if (told.length === 0) {
    told.push({ ...ofGroup, batch: '', isWhole: true, from: [group], amount: undefined });
  }
  const remarks = told.flatMap((each, index) =>
    remarkOf({ ...each, code: each.code === '' ? ofGroup.code : each.code }, index + 1, {
      rules,
      faults,
      message: ofGroup.id,
    }),
  );
  return faults.length > 0 ? { faults } : { kind: 'PAIN002', account: null, remarks };
}

/** `PF-3`, or `WD-12` of an order that had a file of its own. */
const isOurs = (name: string): boolean =>
  isFileReference(name) || payoutReferencesIn(name)[0] === name;

interface Told {
  id: string;
  /** What its batch was called, as the file that we carried there was; empty where that is not repeated. */
  batch: string;
  code: string;
  /** Said of a whole file, which may hold several payments. */
  isWhole: boolean;
  /** Where the reason may stand, the nearest first. */
  from: Node[];
  amount: unknown;
}

function remarkOf(
  { id, batch, code, isWhole, from, amount }: Told,
  line: number,
  { rules, faults, message }: { rules: Rules; faults: FieldError[]; message: string },
): BankRemark[] {
  const fault = (name: string, message: string): [] => {
    faults.push(at(line, null, name, message));
    return [];
  };
  const [ours] = payoutReferencesIn(id);
  const reference = isWhole && isFileReference(id) ? id : ours;
  if (reference === undefined || reference !== id) {
    return fault('unknown_reference', `${inOneLine(id).slice(0, 40)} is no order of ours.`);
  }
  const status = statusOfCode(code);
  if (status === undefined) {
    return fault('status', `${inOneLine(code).slice(0, 8)} is no status that is known here.`);
  }
  const read = amount === undefined ? null : readMoney(wordOf(amount), 'point');
  if (read !== null && 'why' in read) return fault('amount', `the amount ${read.why}`);
  const currency = wordOf(nodeOf(amount)['@Ccy']);
  if (read !== null && currency !== rules.currency) {
    return fault('currency', `${currency.slice(0, 8)} is not ${rules.currency}.`);
  }
  const said = from.flatMap((node) => listOf(node['StsRsnInf']));
  const reason = said.map((each) => wordOf(nodeOf(each['Rsn'])['Cd'])).find((each) => each !== '');
  const words = inOneLine(
    said
      .flatMap((each) => (Array.isArray(each['AddtlInf']) ? each['AddtlInf'].map(wordOf) : []))
      .join(' '),
  );
  return [
    {
      line,
      reference,
      file: [batch, message].find(isOurs) ?? null,
      status,
      code,
      reason: reason === undefined ? null : inOneLine(reason).slice(0, 8),
      words: words === '' ? null : words.slice(0, WORDS_MAX),
      amountNanos: read === null ? null : read.nanos,
      bankReference: null,
    },
  ];
}
