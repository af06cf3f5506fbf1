import type { BidAdjustments } from '../../domain/auction/bid-adjustments.ts';
import { day, json } from '../schema/column.ts';
import type { FrequencyCap } from './json.ts';

/** Columns that campaigns and ad groups share (interface 2.3, 2.4); null is unlimited or inherits. */
export const targetingColumns = {
  startDate: day().orNull(),
  endDate: day().orNull(),
  targetCountries: json<string[]>().orNull(),
  targetDevices: json<string[]>().orNull(),
  targetOs: json<string[]>().orNull(),
  targetBrowsers: json<string[]>().orNull(),
  targetKeywords: json<string[]>().orNull(),
  targetCategories: json<string[]>().orNull(),
  targetLanguages: json<string[]>().orNull(),
  targetHours: json<number[]>().orNull(),
  weekdays: json<number[]>().orNull(),
  bidAdjustments: json<BidAdjustments>().orNull(),
  frequencyCap: json<FrequencyCap>().orNull(),
};
