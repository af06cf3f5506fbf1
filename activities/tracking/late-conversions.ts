import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { LATE } from '../../db/queries/held-conversions.ts';
import { tellOperators } from '../accounts/operator-notices.ts';
import type { ActivityDeps } from '../deps.ts';

const ADVERTISERS_MAX = 500;

/**
 * interface 4.14, 5.9: whoever leaves doubted conversions lie for half of their time is told to the operators,
 * once a week: their publishers wait for what nobody looks at. Answers how many advertisers that are.
 */
export async function tellOfLateConversions(deps: ActivityDeps): Promise<number> {
  return await inTransaction(deps.db, async (tx) => {
    const late = await readLate(deps, tx);
    for (const { advertiser, count, week } of late) {
      await tellOperators(deps, tx, {
        kind: 'conversions_late',
        roles: ['SUPPORT'],
        subject: { type: 'advertiser', id: Number(advertiser) },
        params: { count: Number(count) },
        once: week,
      });
    }
    return late.length;
  });
}

async function readLate(
  deps: ActivityDeps,
  tx: Transaction,
): Promise<{ advertiser: string; count: string; week: string }[]> {
  const { rows } = await runner(deps.db, tx).query<{
    advertiser: string;
    count: string;
    week: string;
  }>(
    `SELECT c.advertiser_id AS advertiser, count(*), to_char(now() AT TIME ZONE 'UTC', 'IYYY-IW') AS week
     FROM conversions c WHERE c.decide_by IS NOT NULL AND ${LATE} AND c.advertiser_id IS NOT NULL
     GROUP BY 1 ORDER BY 1 LIMIT ${ADVERTISERS_MAX}`,
  );
  return rows;
}
