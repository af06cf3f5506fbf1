import { readStatusFile } from '../../../activities/providers/bank-status-file.ts';
import { notification, statusReport } from '../../support/bank-files.ts';

const RULES = { currency: 'USD', today: '2026-03-01' };
const read = (text: string) => readStatusFile(Buffer.from(text), RULES);
const told = (code: string, more = '') => statusReport([{ reference: 'WD-7', code, more }]);

describe('a pain.002', () => {
  it.each([
    ['ACCP', 'TAKEN'],
    ['ACSC', 'TAKEN'],
    ['PDNG', 'WAITING'],
    ['RJCT', 'REFUSED'],
  ])('%s of a payment · is %s, never a payment', (code, status) => {
    const more = `<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Closed &amp; gone</AddtlInf></StsRsnInf>`;
    expect(read(told(code, more))).toEqual({
      kind: 'PAIN002',
      account: null,
      remarks: [
        {
          line: 1,
          reference: 'WD-7',
          file: 'WD-7',
          status,
          code,
          reason: 'AC04',
          words: 'Closed & gone',
          amountNanos: 195_000_000_000n,
          bankReference: null,
        },
      ],
    });
  });

  it('a status of the whole message alone · is that of its one payment', () => {
    const text = statusReport([], '<OrgnlMsgId>WD-9</OrgnlMsgId><GrpSts>RJCT</GrpSts>');
    expect(read(text)).toMatchObject({ remarks: [{ reference: 'WD-9', status: 'REFUSED' }] });
  });

  it.each<[string, string, string]>([
    ['a status that nobody knows', told('PAID'), 'status'],
    ['another platform’s order', told('ACCP').replaceAll('WD-7', 'INV-1'), 'unknown_reference'],
    ['more than a reference', told('ACCP').replaceAll('WD-7', 'WD-7 WD-8'), 'unknown_reference'],
    ['another currency', told('ACCP').replace('USD', 'EUR'), 'currency'],
    ['an amount with a comma', told('ACCP').replace('195.00', '195,00'), 'amount'],
    ['a day to come', told('ACCP').replace('2026-02-03', '2026-03-02'), 'date'],
    [
      'an order twice',
      statusReport([
        { reference: 'WD-7', code: 'ACCP' },
        { reference: 'WD-7', code: 'RJCT' },
      ]),
      'repeated',
    ],
    ['a file about something else', told('ACCP').replace('pain.001', 'pain.008'), 'format'],
    ['an entity of its own', `<!DOCTYPE x [<!ENTITY a "b">]>${told('ACCP')}`, 'format'],
    ['an external one', `<!DOCTYPE x SYSTEM "file:///etc/passwd">${told('ACCP')}`, 'format'],
    [
      'another namespace inside',
      told('ACCP').replace('<TxSts>', '<TxSts xmlns="urn:x">'),
      'format',
    ],
    ['the namespace of a camt.053', told('ACCP').replace('pain.002.001', 'camt.053.001'), 'format'],
    ['no XML', 'RJCT WD-7', 'format'],
    [
      'too many orders',
      statusReport(
        Array.from({ length: 501 }, (_each, at) => ({ reference: `WD-${at + 1}`, code: 'ACCP' })),
      ),
      'too_many',
    ],
  ])('%s · is refused by name', (_what, text, code) => {
    expect(read(text)).toMatchObject({ faults: [{ code }] });
  });
});

describe('a camt.054', () => {
  const of = (more: Partial<Parameters<typeof notification>[0]> = {}) =>
    read(notification({ reference: 'WD-7', amount: '195.00', ...more }));

  it('a booked debit · is a payment of the order that it names', () => {
    expect(of()).toMatchObject({
      kind: 'CAMT054',
      account: 'DE89370400440532013000',
      remarks: [
        {
          reference: 'WD-7',
          status: 'BOOKED',
          amountNanos: 195_000_000_000n,
          bankReference: 'BK-WD-7',
        },
      ],
    });
  });

  it.each<[string, Partial<Parameters<typeof notification>[0]>]>([
    ['only announced', { status: 'PDNG' }],
    ['a credit', { direction: 'CRDT' }],
    ['a reversal', { isReversal: true }],
    ['that names two', { reference: 'WD-7 WD-8' }],
    ['that names none', { reference: 'RENT' }],
  ])('a debit · %s · pays nothing', (_what, more) => {
    expect(of(more)).toMatchObject({ remarks: [] });
  });

  it('another currency · is refused', () => {
    expect(of({ currency: 'EUR' })).toMatchObject({ faults: [{ code: 'currency' }] });
  });
});
