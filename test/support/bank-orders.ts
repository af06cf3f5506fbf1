import { XMLParser } from 'fast-xml-parser';
import { createPayoutActivities } from '../../activities/withdrawals/payouts.ts';
import { createWithdrawalFlowActivities } from '../../activities/withdrawals/withdrawal-flow.ts';
import { createWithdrawalActivities } from '../../activities/withdrawals/withdrawals.ts';
import { approvedByOwner } from './by-owner.ts';
import { makePublisher } from './make/account.ts';
import { fundPublisher, UNIT } from './make/money.ts';
import { CARD, ibanOf, passKyc } from './payouts.ts';
import { activityDeps } from './settlement.ts';
import type { Stand } from './stand.ts';

export interface BankOrders {
  /** Withdrawals to a bank account of the publisher of this test. */
  requested(of?: { channel?: 'BANK'; amount?: bigint }): Promise<number>;
  /** Its file is written and waits for whoever carries it to the bank. */
  waiting(amount?: bigint): Promise<number>;
  /** Of a publisher that has earned enough, and is nobody else's. */
  anotherPublisher(): Promise<void>;
  /** Each as it is now. */
  chosen(...ids: number[]): Promise<{ payouts: { id: number; version: number }[] }>;
}

/** Payouts that go to a bank, without their flows. */
export function bankOrders({ database }: Stand): BankOrders {
  const deps = activityDeps(database);
  const steps = {
    ...createWithdrawalActivities(deps),
    ...createWithdrawalFlowActivities(deps),
    ...createPayoutActivities(deps),
  };
  let publisherId = 0;
  let accounts = 0;
  const requested: BankOrders['requested'] = async ({ channel = 'BANK', amount = 200n } = {}) => {
    accounts += 1;
    const { withdrawalId } = await steps.requestWithdrawal({
      publisherId,
      amountNanos: amount * UNIT,
      channel,
      accountInfo: null,
      bank: {
        account: {
          accountHolder: CARD.account_holder,
          accountType: 'PERSONAL',
          country: 'DE',
          currency: 'USD',
          bankName: null,
          branchName: null,
          iban: ibanOf(accounts),
          accountNumber: null,
          swiftBic: null,
          routingNumber: null,
          sortCode: null,
          cnapsCode: null,
        },
      },
      kycUrl: '',
      requestId: 'test',
    });
    return withdrawalId;
  };
  return {
    requested,
    waiting: async (amount = 200n) => {
      const withdrawalId = await requested({ amount });
      await approvedByOwner(database, withdrawalId);
      expect(await steps.beginPayout({ withdrawalId })).toBe('PROCESSING');
      return withdrawalId;
    },
    anotherPublisher: async () => {
      publisherId = (await makePublisher(database.db)).id;
      await passKyc(database, publisherId);
      await fundPublisher(database.db, publisherId, 10_000n * UNIT);
    },
    chosen: async (...ids) => {
      const { rows } = await database.pool.query<{
        id: string;
        version: number;
      }>('SELECT id, version FROM withdrawals WHERE id = ANY ($1) ORDER BY id', [ids]);
      return {
        payouts: rows.map(({ id, version }) => ({ id: Number(id), version })),
      };
    },
  };
}

interface Transfer {
  PmtId: { EndToEndId: string };
  Amt: { InstdAmt: { '#text': string } };
}
interface Written {
  GrpHdr: { MsgId: string; NbOfTxs: string; CtrlSum: string };
  PmtInf: {
    PmtInfId: string;
    BtchBookg: string;
    NbOfTxs: string;
    CtrlSum: string;
  } & {
    CdtTrfTxInf: Transfer[];
  };
}
/** What a bank is asked to pay; `CdtTrfTxInf` is a list where there are several. */
export const readBankFile = (xml: string): Written => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
  });
  const { Document } = parser.parse(xml) as {
    Document: { CstmrCdtTrfInitn: Written };
  };
  return Document.CstmrCdtTrfInitn;
};
