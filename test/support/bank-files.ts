/** Files as a bank writes them. */

/** A pain.002 of version 10 about payments, of 195.00 USD unless told otherwise; `group` instead of them where there are none. */
export function statusReport(
  payments: readonly { reference: string; code: string; more?: string; amount?: string }[],
  group = '<OrgnlMsgId>RUN</OrgnlMsgId>',
): string {
  const told = payments.map(
    ({
      reference,
      code,
      more = '',
      amount = '195.00',
    }) => `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${reference}</OrgnlPmtInfId><TxInfAndSts>
<OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${code}</TxSts>${more}
<OrgnlTxRef><Amt><InstdAmt Ccy="USD">${amount}</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts></OrgnlPmtInfAndSts>`,
  );
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>S-1</MsgId><CreDtTm>2026-02-03T10:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts>${group.replace('</OrgnlMsgId>', '</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>')}</OrgnlGrpInfAndSts>
${told.join('')}</CstmrPmtStsRpt></Document>`;
}

interface Movement {
  reference: string;
  amount: string;
  account?: string;
  currency?: string;
  status?: string;
  direction?: 'DBIT' | 'CRDT';
  isReversal?: boolean;
}

const PAYING_ACCOUNT = 'DE89370400440532013000';

const entryOf = (movement: Movement): string => {
  const { reference, amount, currency = 'USD', status = 'BOOK', direction = 'DBIT' } = movement;
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>
${movement.isReversal === true ? '<RvslInd>true</RvslInd>' : ''}<Sts><Cd>${status}</Cd></Sts>
<BookgDt><Dt>2026-02-03</Dt></BookgDt><AcctSvcrRef>BK-${reference}</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`;
};

const documentOf = (message: string, body: string, part: string, movement: Movement): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}.001.08"><${body}><${part}>
<Acct><Id><IBAN>${movement.account ?? PAYING_ACCOUNT}</IBAN></Id></Acct>${entryOf(movement)}</${part}></${body}></Document>`;

export const notification = (movement: Movement): string =>
  documentOf('camt.054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', movement);
export const statementOfDebit = (movement: Movement): string =>
  documentOf('camt.053', 'BkToCstmrStmt', 'Stmt', movement);
