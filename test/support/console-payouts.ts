import { setByOwner } from './by-owner.ts';
import type { Account, ConsoleStand } from './console.ts';
import { fundPublisher, UNIT } from './make/money.ts';
import { CARD, ibanOf, passKyc, ripenCards } from './payouts.ts';
import { until } from './until.ts';

/** Of one publisher: approved withdrawals by bank, each to be carried there. */
export async function bankPayouts(
  stand: ConsoleStand,
  { clerk, name, amounts }: { clerk: Account; name: string; amounts: readonly number[] },
): Promise<{ seller: Account; ids: number[] }> {
  const { db, pool } = stand.platform;
  const seller = await stand.newAccount('publisher', name);
  const { id: publisherId } = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  await passKyc({ pool } as never, publisherId);
  await fundPublisher(db, publisherId, 5_000n * UNIT);
  await seller.api.must('POST', '/withdrawals/bank-cards', { ...CARD, iban: ibanOf(publisherId) });
  await ripenCards({ pool } as never, publisherId);
  await setByOwner(stand.platform, 'payout.cooling_off_seconds', 0);
  const ids: number[] = [];
  for (const amount of amounts) {
    const body = { amount, payment_method: 'BANK' };
    ids.push((await seller.api.must<{ id: number }>('POST', '/withdrawals', body)).id);
  }
  for (const id of ids) {
    const asked = await until(`the review of withdrawal ${id}`, async () => {
      const query = `status=open&subject_type=withdrawal&subject_id=${id}`;
      const { items } = await clerk.api.must<{ items: { id: number }[] }>('GET', `/tasks?${query}`);
      return items[0];
    });
    await clerk.api.must('POST', `/tasks/${asked.id}/decision`, { decision: 'approve' });
    await until(`withdrawal ${id} waits for its file`, async () => {
      const shown = await clerk.api.must<{ stage: string }>('GET', `/withdrawals/${id}`);
      return shown.stage === 'BANK_FILE';
    });
  }
  return { seller, ids };
}
