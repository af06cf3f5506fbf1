import { readCamtStatement } from '../../../activities/providers/camt-statement.ts';

const RULES = { currency: 'USD', today: '2026-03-01' };

const file = (entries: string, version = '02', account = 'DE75512108001245126199') =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>
${entries}</Stmt></BkToCstmrStmt></Document>`);

const entry = ({ amount = '75.00', ccy = 'USD', dir = 'CRDT', status = 'BOOK', more = '' } = {}) =>
  `<Ntry><Amt Ccy="${ccy}">${amount}</Amt><CdtDbtInd>${dir}</CdtDbtInd><Sts>${status}</Sts>
<BookgDt><Dt>2026-02-03</Dt></BookgDt>${more}</Ntry>`;

const details = (of: string) => `<NtryDtls>${of}</NtryDtls>`;

describe('a camt.053', () => {
  it('one credit · version 2 · a line with all that its payer wrote', () => {
    const more = `<AcctSvcrRef>BK-1</AcctSvcrRef>${details(`<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
<RltdPties><Dbtr><Nm>Ada &amp; Sons</Nm></Dbtr></RltdPties>
<RmtInf><Ustrd>Top-up</Ustrd><Strd><CdtrRefInf><Ref>RF18000000001</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>`)}`;
    expect(readCamtStatement(file(entry({ more })), RULES)).toEqual({
      account: 'DE75512108001245126199',
      others: [],
      balances: [],
      lines: [
        {
          line: 1,
          bookedOn: '2026-02-03',
          amountNanos: 75_000_000_000n,
          currency: 'USD',
          reference: 'BK-1',
          payer: 'Ada & Sons',
          remittance: 'Top-up RF18000000001',
        },
      ],
    });
  });

  it('a batch entry · version 8 · a line for each of its payments, by its own reference', () => {
    const of = (amount: string, reference: string, name: string) =>
      `<TxDtls><Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs><Amt Ccy="USD">${amount}</Amt>
<CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr></RltdPties></TxDtls>`;
    const more = details(of('50.00', 'T-1', 'Ada') + of('25.00', 'T-2', 'Bo'));
    const read = readCamtStatement(file(entry({ status: '<Cd>BOOK</Cd>', more }), '08'), RULES);
    expect(read).toMatchObject({
      lines: [
        { line: 1, amountNanos: 50_000_000_000n, reference: 'T-1', payer: 'Ada' },
        { line: 2, amountNanos: 25_000_000_000n, reference: 'T-2', payer: 'Bo' },
      ],
    });
  });

  it('a batch that does not divide its sum · is refused, and not credited whole to each', () => {
    const more = details('<TxDtls/><TxDtls/>');
    expect(readCamtStatement(file(entry({ more })), RULES)).toMatchObject({
      faults: [{ field: 'row.1', code: 'amount' }, { field: 'row.2' }],
    });
  });

  it('money out, a reversal, a return, and what is only announced · movements that are no payments', () => {
    const entries =
      entry({
        dir: 'DBIT',
        more: details('<TxDtls><Refs><EndToEndId>WD-7</EndToEndId></Refs></TxDtls>'),
      }) +
      entry({ more: '<RvslInd>true</RvslInd>' }) +
      entry({ more: details('<TxDtls><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>') }) +
      entry({ dir: 'DBIT', more: details('<TxDtls/><TxDtls/>') }) +
      entry({ status: 'PDNG' });
    expect(readCamtStatement(file(entries), RULES)).toMatchObject({
      lines: [],
      others: [
        { direction: 'OUT', isReversal: false, amountNanos: 75_000_000_000n, remittance: 'WD-7' },
        { direction: 'IN', isReversal: true },
        { direction: 'IN', isReversal: true },
        // A batch that does not divide its sum is one movement.
        { direction: 'OUT', isReversal: false, amountNanos: 75_000_000_000n },
      ],
    });
  });

  it('balances · as its entries lead from one to the other · are read, below zero too; else refused', () => {
    const balance = (code: string, amount: string, dir: string, day: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt>
<CdtDbtInd>${dir}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
    const whole = (closing: string) =>
      file(
        balance('OPBD', '10.00', 'DBIT', '2026-02-02') +
          balance('CLBD', closing, 'CRDT', '2026-02-03') +
          balance('CLAV', '1.00', 'CRDT', '2026-02-03') +
          entry() +
          entry({ dir: 'DBIT', amount: '5.00' }),
      );
    expect(readCamtStatement(whole('60.00'), RULES)).toMatchObject({
      balances: [
        { kind: 'OPENING', onDay: '2026-02-02', amountNanos: -10_000_000_000n },
        { kind: 'CLOSING', onDay: '2026-02-03', amountNanos: 60_000_000_000n },
      ],
    });
    expect(readCamtStatement(whole('60.01'), RULES)).toMatchObject({
      faults: [{ code: 'balance' }],
    });
    expect(readCamtStatement(whole('x'), RULES)).toMatchObject({ faults: [{ code: 'balance' }] });
  });

  it.each<[string, Buffer, string]>([
    ['another currency', file(entry({ ccy: 'EUR' })), 'currency'],
    ['a day to come', file(entry().replace('2026-02-03', '2026-03-02')), 'date'],
    ['nothing', file(entry({ amount: '0.00' })), 'amount'],
    ['a comma', file(entry({ amount: '75,00' })), 'amount'],
    [
      'one reference twice',
      file(entry({ more: '<AcctSvcrRef>A</AcctSvcrRef>' }).repeat(2)),
      'repeated',
    ],
    ['no account', file(entry(), '02', ''), 'account'],
    ['another document', Buffer.from('<Document xmlns="urn:x"/>'), 'format'],
    ['no XML', Buffer.from('Date,Amount\n1,2'), 'format'],
    [
      'a second namespace',
      Buffer.from(file(entry()).toString().replace('<Stmt>', '<Stmt xmlns:o="urn:other">')),
      'format',
    ],
    [
      'the namespace in a comment alone',
      Buffer.from(
        `<!-- <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"> -->${file(entry())
          .toString()
          .replace(/^.*\n/, '')
          .replace(/ xmlns="[^"]*"/, '')}`,
      ),
      'format',
    ],
    ['nesting without an end', file('<a>'.repeat(5_000) + '</a>'.repeat(5_000)), 'format'],
    [
      'an entity that grows',
      Buffer.from(`<!DOCTYPE x [<!ENTITY a "aaaa">]>${file(entry()).toString()}`),
      'format',
    ],
  ])('%s · is named, and nothing is read', (_what, bytes, code) => {
    expect(readCamtStatement(bytes, RULES)).toMatchObject({ faults: [{ code }] });
  });
});
