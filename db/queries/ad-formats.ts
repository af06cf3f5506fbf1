import { columnsOf, readRows, select } from '../schema/selection.ts';
import { type AdFormatRow, adFormats } from '../tables/ad-format.ts';
import type { SqlRunner } from '../sql-runner.ts';

const FORMAT = select(columnsOf(adFormats, 'f'));

/** The choices of campaign_option_id and size_id. */
export const listAdFormats = async (sql: SqlRunner): Promise<AdFormatRow[]> =>
  await readRows(sql, FORMAT, `SELECT ${FORMAT.list} FROM ad_formats f ORDER BY f.id`);
