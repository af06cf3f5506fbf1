import type {
  EventTrace,
  TracedClick,
  TracedConversion,
  TracedEvent,
} from '../../db/queries/event-trace.ts';
import type { TrackPayload } from '../../domain/tracking/facts.ts';
import { presentAmount } from '../../domain/money.ts';

/** What became of one ad: what was sealed, what was received, and how each event was judged. */
export function presentTrace(track: TrackPayload | null, trace: EventTrace) {
  return {
    track: track === null ? null : presentTrack(track),
    events: trace.events.map(presentEvent),
    clicks: trace.clicks.map(presentClick),
    conversions: trace.conversions.map(presentConversion),
  };
}

function presentTrack(track: TrackPayload) {
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

function presentEvent(event: TracedEvent) {
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

function presentClick(click: TracedClick) {
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

function presentConversion(conversion: TracedConversion) {
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
