import { createHash } from 'node:crypto';
import { inTransaction } from '../../db/postgres.ts';
import type { RailMethod } from '../../domain/deposit-terms.ts';
import { paymentStart } from '../../workflows/contracts/deposit.ts';
import { startFlow } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import type { NoticeFault, RawNotice } from '../providers/deposit-port.ts';

/** TAKEN: it is stored, and its order is asked about. */
export type NoticeVerdict = 'TAKEN' | 'UNKNOWN_ORDER' | 'NO_PROVIDER' | NoticeFault;

/** What providers tell of their own accord. */
export function createNoticeActivities(deps: ActivityDeps) {
  return {
    /**
     * Stores the bytes, judges them, and has the provider asked about the order that they name. A copy of
     * a notification starts nothing new. The caller may answer "taken" when this has returned it.
     */
    async takeNotice(method: RailMethod, notice: RawNotice): Promise<NoticeVerdict> {
      const row = await deps.db.models.providerNotices.create({
        provider: method,
        headers: { ...notice.headers },
        body: notice.body,
      });
      const reading = deps.providers.rails.provider(method)?.readNotice(notice, deps.clock());
      return await inTransaction(deps.db, async (transaction) => {
        const judge = async (verdict: NoticeVerdict, known: object = {}) => {
          await row.update({ verdict, ...known }, { transaction });
          return verdict;
        };
        if (reading === undefined) return await judge('NO_PROVIDER');
        if (!reading.ok) return await judge(reading.fault);
        const { orderNo: reference, eventId } = reading;
        const deposit = await deps.db.models.deposits.findOne({
          where: { reference, paymentMethod: method },
          transaction,
        });
        if (deposit === null) return await judge('UNKNOWN_ORDER', { eventId });
        const event = createHash('sha256').update(eventId).digest('hex').slice(0, EVENT_LENGTH);
        await startFlow(deps, transaction, paymentStart({ depositId: deposit.id, event }), {
          accountId: deposit.advertiserId,
        });
        return await judge('TAKEN', { eventId, depositId: deposit.id });
      });
    },
  };
}

const EVENT_LENGTH = 24;
