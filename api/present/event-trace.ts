import type * as yup from 'yup';
import { type EventTrace, TRACED_TYPES } from '../../db/queries/event-trace.ts';
import type { ClickRow } from '../../db/tables/click.ts';
import type { ConversionRow } from '../../db/tables/conversion.ts';
import type { EventRow } from '../../db/tables/event.ts';
import type { PageRow } from '../../db/tables/page.ts';
import type { TrackPayload } from '../../domain/tracking/facts.ts';
import { presentAmount } from '../../domain/money.ts';
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

/** What the page said that the ad was shown on (interface 4.13). */
const pageShape = record({
  host: wordsOrNull(),
  url: wordsOrNull(),
  title: wordsOrNull(),
  keywords: listOf(words()),
  categories: listOf(words()),
  tags: listOf(words()),
  type: wordsOrNull(),
  lang: wordsOrNull(),
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
  page: pageShape.nullable(),
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
  is_signed: flag(),
  /** Why a person must look at it before it is billed. */
  findings: listOf(words()),
  due_at: timeOrNull(),
  decided_at: timeOrNull(),
  note: wordsOrNull(),
  created_at: time(),
});

/** interface 5.2. `track` is what the given track_id seals; null when another id was given. */
export const eventTraceShape = record(
  {
    track: trackShape.nullable(),
    events: listOf(eventShape),
    clicks: listOf(clickShape),
    conversions: listOf(tracedConversionShape),
    /** What all that is named above by its id is called now. */
    names: listOf(record({ type: oneOf(TRACED_TYPES), id: idOf(), name: words() })),
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
    events: trace.events.map((event) =>
      presentEvent(
        event,
        trace.pages.find(({ id }) => id === event.pageId),
      ),
    ),
    clicks: trace.clicks.map(presentClick),
    conversions: trace.conversions.map(presentConversion),
    names: trace.names.map(({ type, id, name }) => ({ type, id, name })),
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

function presentPage(page: PageRow): yup.InferType<typeof pageShape> {
  const { host, url, title, keywords, categories, tags, type, lang } = page;
  return { host, url, title, keywords, categories, tags, type, lang };
}

function presentEvent(
  event: EventRow,
  page: PageRow | undefined,
): yup.InferType<typeof eventShape> {
  return {
    id: event.id,
    kind: event.kind,
    received_at: event.receivedAt.toISOString(),
    judged_at: event.judgedAt.toISOString(),
    status: event.status,
    billable: event.billable,
    reason: event.reason,
    reasons: event.reasons,
    request_id: event.requestId,
    bid_id: event.bidId,
    click_id: event.clickId,
    advertiser_id: event.advertiserId,
    campaign_id: event.campaignId,
    adgroup_id: event.adGroupId,
    ad_id: event.adId,
    creative_id: event.creativeId,
    publisher_id: event.publisherId,
    site_id: event.siteId,
    zone_id: event.zoneId,
    country: event.country,
    device: event.device,
    os: event.os,
    browser: event.browser,
    ip_prefix: event.ipPrefix,
    page: page === undefined ? null : presentPage(page),
    pricing_model: event.pricingModel,
    price: presentAmount(event.priceNanos),
    publisher_share: presentAmount(event.publisherNanos),
    ledger_batch_id: event.batchId,
  };
}

function presentClick(click: ClickRow): yup.InferType<typeof clickShape> {
  return {
    click_id: click.clickId,
    status: click.status,
    reason: click.reason,
    clicked_at: click.clickedAt.toISOString(),
    verify_by: click.verifyBy.toISOString(),
    verified_at: click.verifiedAt?.toISOString() ?? null,
    request_id: click.requestId,
    bid_id: click.bidId,
    campaign_id: click.campaignId,
    ad_id: click.adId,
    creative_id: click.creativeId,
    zone_id: click.zoneId,
    price: presentAmount(click.bidPriceNanos),
    pricing_model: click.pricingModel,
  };
}

function presentConversion(conversion: ConversionRow): yup.InferType<typeof tracedConversionShape> {
  return {
    id: conversion.id,
    tracker_id: conversion.trackerId,
    click_id: conversion.clickId,
    event_type: conversion.eventType,
    value: presentAmount(conversion.valueNanos),
    currency: conversion.currency,
    status: conversion.status,
    reason: conversion.reason,
    latency_seconds: conversion.latencySeconds,
    source: conversion.source,
    is_signed: conversion.isSigned,
    findings: conversion.findings,
    due_at: conversion.dueAt?.toISOString() ?? null,
    decided_at: conversion.decidedAt?.toISOString() ?? null,
    note: conversion.note,
    created_at: conversion.createdAt.toISOString(),
  };
}
