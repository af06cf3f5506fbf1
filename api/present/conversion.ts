import type * as yup from 'yup';
import type { HeldConversion, OwnConversion } from '../../db/queries/held-conversions.ts';
import type { ConversionRow } from '../../db/tables/conversion.ts';
import { CONVERSION_STATUSES } from '../../domain/tracker.ts';
import { CONVERSION_FINDINGS } from '../../domain/tracking/conversion-findings.ts';
import {
  flag,
  idOf,
  idOrNullOf,
  listOf,
  money,
  oneOf,
  record,
  time,
  timeOrNull,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { presentRow } from '../http/wire.ts';

const fields = {
  /** The public one: random, and as good as a name. */
  id: idOf(),
  click_id: wordsOrNull(),
  txid: wordsOrNull(),
  campaign_id: idOrNullOf(),
  adgroup_id: idOrNullOf(),
  ad_id: idOrNullOf(),
  creative_id: idOrNullOf(),
  zone_id: idOrNullOf(),
  event_type: words(),
  value: money(),
  currency: words(),
  status: oneOf(CONVERSION_STATUSES),
  reason: wordsOrNull(),
  latency_seconds: wholeOrNull(),
  source: words(),
  /** Reported by the advertiser's server, with the tracker's signature. */
  is_signed: flag(),
  /** Why a person must look at it before it is billed. */
  findings: listOf(oneOf(CONVERSION_FINDINGS)),
  /** What it costs when it is billed. */
  price: money(),
  /** When it is billed unless it is rejected before; null when a person must decide, or has. */
  due_at: timeOrNull(),
  /** Of one with findings: when it is rejected unless a person approves it before. */
  decide_by: timeOrNull(),
  decided_at: timeOrNull(),
  /** Why its advertiser rejected it. */
  note: wordsOrNull(),
  clicked_at: timeOrNull(),
  created_at: time(),
};

/** interface 4.7 */
export const conversionShape = record(fields, 'Conversion');

const txidOf = ({ dedupeKey }: Pick<ConversionRow, 'dedupeKey'>): string | null =>
  dedupeKey.startsWith('tx:') ? dedupeKey.slice(3) : null;

export const presentConversion = (row: ConversionRow): yup.InferType<typeof conversionShape> =>
  presentRow(conversionShape, row, { id: row.publicId, txid: txidOf(row) });

/** Of everybody, for operators; whose it is names the accounts. */
export const heldConversionShape = record(
  {
    ...fields,
    advertiser_id: idOrNullOf(),
    advertiser_name: wordsOrNull(),
    publisher_id: idOrNullOf(),
    publisher_name: wordsOrNull(),
    tracker_id: idOrNullOf(),
    tracker_name: wordsOrNull(),
    campaign_name: wordsOrNull(),
  },
  'HeldConversion',
);

export const presentHeldConversion = (
  row: HeldConversion,
): yup.InferType<typeof heldConversionShape> =>
  presentRow(heldConversionShape, row, { id: row.publicId, txid: txidOf(row) });

/** Beside those of other trackers. */
export const ownConversionShape = record(
  {
    ...fields,
    tracker_id: idOrNullOf(),
    tracker_name: wordsOrNull(),
    campaign_name: wordsOrNull(),
  },
  'OwnConversion',
);

export const presentOwnConversion = (
  row: OwnConversion,
): yup.InferType<typeof ownConversionShape> =>
  presentRow(ownConversionShape, row, { id: row.publicId, txid: txidOf(row) });
