import * as yup from 'yup';
import { PRICING_MODELS } from '../../domain/inventory.ts';
import { parseAmount } from '../../domain/money.ts';
import {
  normalisePricingTypes,
  POPUP_POSITIONS,
  REFRESH_SECONDS_MAX,
  REFRESH_SECONDS_MIN,
  TRIGGERS,
  ZONE_DEVICES,
  ZONE_TYPES,
} from '../../domain/zone-settings.ts';
import type { ZoneFields } from '../../activities/publisher/zones.ts';
import { calledUrl } from '../http/called-url.ts';
import { amount, id, name } from '../http/fields.ts';

/** Schemas of a zone's body (interface 2.9, 2.12), and their way into the model's fields. */
const SIDE_MAX = 4_096;
const DAY_SECONDS = 86_400;

const whole = (min: number, max: number) => yup.number().integer().min(min).max(max);
/** A part that may be absent; what it does not know it refuses. */
const part = <Fields extends yup.ObjectShape>(fields: Fields) =>
  yup.object(fields).noUnknown(true).default(undefined);

const settingFields = {
  trigger: part({
    type: yup.string().oneOf(TRIGGERS),
    delay_seconds: whole(0, 300),
    scroll_percent: whole(1, 100),
  }),
  frequency: part({ impressions: whole(1, 1_000), window_seconds: whole(60, 30 * DAY_SECONDS) }),
  popup: part({
    position: yup.string().oneOf(POPUP_POSITIONS),
    overlay: yup.boolean(),
    close_button: yup.boolean(),
    close_delay_seconds: whole(0, 30),
  }),
  couplet: part({
    min_screen_width: whole(320, 7_680),
    offset_top: whole(0, 2_000),
    offset_side: whole(0, 2_000),
    close_button: yup.boolean(),
  }),
  rewarded: part({
    watch_seconds: whole(1, 120),
    skippable_after_seconds: whole(0, 120),
    reward_amount: whole(1, 1_000_000),
    reward_type: yup.string().matches(/^[\p{L}\p{N}_ -]{1,50}$/u, 'must be a short plain name'),
  }),
};

const editable = {
  ad_type: yup.string().oneOf(ZONE_TYPES),
  type: yup.string().oneOf(ZONE_TYPES),
  ad_format_id: id().nullable(),
  zone_type_id: id().nullable(),
  size_id: id().nullable(),
  width: whole(1, SIDE_MAX),
  height: whole(1, SIDE_MAX),
  position: yup.string().matches(/^[A-Z][A-Z0-9_]{0,31}$/, 'must be an upper-case word'),
  device: yup.string().oneOf(ZONE_DEVICES),
  pricing_types: yup
    .string()
    .test('pricing_types', `must be a comma list of ${PRICING_MODELS.join(', ')}`, (value) =>
      typeof value === 'string' ? normalisePricingTypes(value) !== undefined : true,
    ),
  floor_price_cpc: amount(),
  floor_price_cpm: amount(),
  refresh: whole(0, REFRESH_SECONDS_MAX).test(
    'refresh',
    `must be 0 or at least ${REFRESH_SECONDS_MIN} seconds`,
    (value) => value === undefined || value === 0 || value >= REFRESH_SECONDS_MIN,
  ),
  ...settingFields,
  reward_callback_url: calledUrl()
    .nullable()
    .test('no_query', 'must have no query and no fragment: the query is what we report', (value) =>
      typeof value === 'string' ? !/[?#]/.test(value) : true,
    ),
};

export const createZoneBody = yup
  .object({
    ...editable,
    name: name().required(),
    site_id: id().required(),
    save_as_draft: yup.boolean(),
  })
  .test(sameType());

/** A zone shows null for the settings of other types: written back, it says nothing. */
export const updateZoneBody = yup
  .object({
    ...editable,
    trigger: editable.trigger.nullable(),
    frequency: editable.frequency.nullable(),
    popup: editable.popup.nullable(),
    couplet: editable.couplet.nullable(),
    rewarded: editable.rewarded.nullable(),
    name: name(),
    site_id: id(),
  })
  .test(sameType());

/** `ad_type` and `type` are two names of one thing. */
function sameType(): yup.TestConfig<{ ad_type?: string | undefined; type?: string | undefined }> {
  return {
    name: 'mismatch',
    test: (value, context) =>
      value.ad_type === undefined || value.type === undefined || value.ad_type === value.type
        ? true
        : context.createError({ path: 'ad_type', message: 'ad_type and type differ' }),
  };
}

type UpdateBody = yup.InferType<typeof updateZoneBody>;

const nanosOf = (value: number | undefined): bigint | undefined =>
  value === undefined ? undefined : parseAmount(value);

export function zoneFieldsOf(body: UpdateBody): ZoneFields {
  const { trigger, frequency, popup, couplet, rewarded } = body;
  return {
    name: body.name,
    type: body.type ?? body.ad_type,
    adFormatId: body.ad_format_id,
    zoneTypeId: body.zone_type_id,
    sizeId: body.size_id,
    width: body.width,
    height: body.height,
    position: body.position,
    device: body.device,
    pricingTypes:
      body.pricing_types === undefined ? undefined : normalisePricingTypes(body.pricing_types),
    floorPriceCpcNanos: nanosOf(body.floor_price_cpc),
    floorPriceCpmNanos: nanosOf(body.floor_price_cpm),
    refresh: body.refresh,
    settings: {
      trigger: trigger ?? undefined,
      frequency: frequency ?? undefined,
      popup: popup ?? undefined,
      couplet: couplet ?? undefined,
      rewarded: rewarded ?? undefined,
    },
    rewardCallbackUrl: body.reward_callback_url === '' ? null : body.reward_callback_url,
  };
}
