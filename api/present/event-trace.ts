import type * as yup from 'yup';
import type {
  EventTrace,
  TracedClick,
  TracedConversion,
  TracedEvent,
} from '../../db/queries/event-trace.ts';
import type { TrackPayload } from '../../domain/tracking/facts.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  flag,
  idOf,
  idOrNullOf,
  listOf,
  money,
  record,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

const trackShape = record({
  request_id: words(),
  bid_id: words(),
  advertiser_id: idOf(),
  campaign_id: idOf(),
  ad_id: idOf(),
  creative_id: idOf(),
  zone_id: idOf(),
  issued_at: time(),
  protocol: whole(),
  channel: words(),
  pricing_model: words(),
  price: money(),
  country: wordsOrNull(),
  device: words(),
  os: words(),
});

const eventShape = record({
  id: words(),
  kind: words(),
  received_at: time(),
  judged_at: time(),
  status: words(),
  billable: flag(),
  /** The first of the reasons; null for what was billed. */
  reason: wordsOrNull(),
  reasons: listOf(words()),
  request_id: wordsOrNull(),
  bid_id: wordsOrNull(),
  click_id: wordsOrNull(),
  advertiser_id: idOrNullOf(),
  campaign_id: idOrNullOf(),
  adgroup_id: idOrNullOf(),
  ad_id: idOrNullOf(),
  creative_id: idOrNullOf(),
  publisher_id: idOrNullOf(),
  site_id: idOrNullOf(),
  zone_id: idOrNullOf(),
  country: wordsOrNull(),
  device: wordsOrNull(),
  os: wordsOrNull(),
  browser: wordsOrNull(),
  ip_prefix: wordsOrNull(),
  pricing_model: wordsOrNull(),
  price: money(),
  publisher_share: money(),
  ledger_batch_id: idOrNullOf(),
});

const clickShape = record({
  click_id: words(),
  status: words(),
  reason: wordsOrNull(),
  clicked_at: time(),
  verify_by: time(),
  verified_at: timeOrNull(),
  request_id: words(),
  bid_id: words(),
  campaign_id: idOf(),
  ad_id: idOf(),
  creative_id: idOf(),
  zone_id: idOf(),
  price: money(),
  pricing_model: words(),
});

const tracedConversionShape = record({
  id: idOf(),
  tracker_id: idOrNullOf(),
  click_id: wordsOrNull(),
  event_type: words(),
  value: money(),
  currency: words(),
  status: words(),
  reason: wordsOrNull(),
  latency_seconds: wholeOrNull(),
  source: words(),
  created_at: time(),
});

/** interface 5.2. `track` is what the given track_id seals; null when another id was given. */
export const eventTraceShape = record(
  {
    track: trackShape.nullable(),
    events: listOf(eventShape),
    clicks: listOf(clickShape),
    conversions: listOf(tracedConversionShape),
  },
  'EventTrace',
);

/** What became of one ad: what was sealed, what was received, and how each event was judged. */
export function presentTrace(
  track: TrackPayload | null,
  trace: EventTrace,
): yup.InferType<typeof eventTraceShape> {
  return {
    track: track === null ? null : presentTrack(track),
    events: trace.events.map(presentEvent),
    clicks: trace.clicks.map(presentClick),
    conversions: trace.conversions.map(presentConversion),
  };
}

function presentTrack(track: TrackPayload): yup.InferType<typeof trackShape> {
  return {
    request_id: track.requestId,
    bid_id: track.bidId,
    advertiser_id: track.advertiserId,
    campaign_id: track.campaignId,
    ad_id: track.adId,
    creative_id: track.creativeId,
    zone_id: track.zoneId,
    issued_at: new Date(track.issuedAt * 1_000).toISOString(),
    protocol: track.protocol,
    channel: track.channel,
    pricing_model: track.pricingModel,
    price: presentAmount(track.priceNanos),
    country: track.country,
    device: track.device,
    os: track.os,
  };
}

function presentEvent(event: TracedEvent): yup.InferType<typeof eventShape> {
  return {
    id: event.id,
    kind: event.kind,
    received_at: event.received_at.toISOString(),
    judged_at: event.judged_at.toISOString(),
    status: event.status,
    billable: event.billable,
    reason: event.reason,
    reasons: event.reasons,
    request_id: event.request_id,
    bid_id: event.bid_id,
    click_id: event.click_id,
    advertiser_id: idOrNull(event.advertiser_id),
    campaign_id: idOrNull(event.campaign_id),
    adgroup_id: idOrNull(event.adgroup_id),
    ad_id: idOrNull(event.ad_id),
    creative_id: idOrNull(event.creative_id),
    publisher_id: idOrNull(event.publisher_id),
    site_id: idOrNull(event.site_id),
    zone_id: idOrNull(event.zone_id),
    country: event.country,
    device: event.device,
    os: event.os,
    browser: event.browser,
    ip_prefix: event.ip_prefix,
    pricing_model: event.pricing_model,
    price: presentAmount(BigInt(event.price_nanos)),
    publisher_share: presentAmount(BigInt(event.publisher_nanos)),
    ledger_batch_id: idOrNull(event.batch_id),
  };
}

function presentClick(click: TracedClick): yup.InferType<typeof clickShape> {
  return {
    click_id: click.click_id,
    status: click.status,
    reason: click.reason,
    clicked_at: click.clicked_at.toISOString(),
    verify_by: click.verify_by.toISOString(),
    verified_at: click.verified_at?.toISOString() ?? null,
    request_id: click.request_id,
    bid_id: click.bid_id,
    campaign_id: Number(click.campaign_id),
    ad_id: Number(click.ad_id),
    creative_id: Number(click.creative_id),
    zone_id: Number(click.zone_id),
    price: presentAmount(BigInt(click.bid_price_nanos)),
    pricing_model: click.pricing_model,
  };
}

function presentConversion(
  conversion: TracedConversion,
): yup.InferType<typeof tracedConversionShape> {
  return {
    id: Number(conversion.id),
    tracker_id: idOrNull(conversion.tracker_id),
    click_id: conversion.click_id,
    event_type: conversion.event_type,
    value: presentAmount(BigInt(conversion.value_nanos)),
    currency: conversion.currency,
    status: conversion.status,
    reason: conversion.reason,
    latency_seconds: conversion.latency_seconds,
    source: conversion.source,
    created_at: conversion.created_at.toISOString(),
  };
}

const idOrNull = (id: string | null): number | null => (id === null ? null : Number(id));
