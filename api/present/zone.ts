import type { ZoneRow } from '../../db/queries/publisher.ts';
import { zoneDelivery } from '../../domain/lifecycle/site.ts';
import { presentAmount } from '../../domain/money.ts';
import { zoneSettings } from '../../domain/zone-settings.ts';

/** interface 2.9; the settings of its type (2.12) stand beside the other fields. */
export function presentZone(zone: ZoneRow) {
  const delivery = zoneDelivery(zone, {
    status: zone.siteStatus,
    auditStatus: zone.siteAuditStatus,
  });
  return {
    id: zone.id,
    site_id: zone.siteId,
    name: zone.name,
    zone_key: zone.zoneKey,
    type: zone.type,
    ad_type: zone.type,
    ad_format_id: zone.adFormatId,
    zone_type_id: zone.zoneTypeId,
    size_id: zone.sizeId,
    width: zone.width,
    height: zone.height,
    position: zone.position,
    device: zone.device,
    pricing_types: zone.pricingTypes,
    floor_price_cpc: presentAmount(zone.floorPriceCpcNanos),
    floor_price_cpm: presentAmount(zone.floorPriceCpmNanos),
    refresh: zone.refresh,
    ...zoneSettings(zone.type, zone.settings),
    status: zone.status,
    audit_status: zone.auditStatus,
    audit_reasons: zone.auditReasons ?? [],
    delivery_status: delivery.status,
    delivery_reasons: delivery.reasons,
    created_at: zone.createdAt.toISOString(),
    updated_at: zone.updatedAt.toISOString(),
  };
}

export interface ZoneAddresses {
  base: string;
  sdk: string;
}

/** decisions 2: `{zone_key, script, iframe, vast_url, request_url}`. The key is letters and digits only. */
export function presentZoneCode(zone: ZoneRow, urls: ZoneAddresses) {
  const { zoneKey, width, height } = zone;
  const container = `<div data-adp-zone="${zoneKey}"></div>`;
  // The SDK asks its own host for ads unless told otherwise.
  const base = urls.sdk === urls.base ? '' : ` data-base="${urls.base}"`;
  return {
    zone_key: zoneKey,
    script: `${container}\n<script async src="${urls.sdk}/sdk.js"${base}></script>`,
    iframe: iframeOf(`${urls.base}/ad/render/${zoneKey}`, width, height),
    vast_url: `${urls.base}/ad/render/vast/${zoneKey}`,
    request_url: `${urls.base}/ad/request?zone=${zoneKey}`,
  };
}

/** `{html, url}`: a page for an iframe's srcdoc, and the address it shows. */
export function presentZonePreview(zone: ZoneRow, urls: ZoneAddresses) {
  const url = `${urls.base}/ad/render/${zone.zoneKey}?preview=1`;
  const html = [
    '<!doctype html>',
    '<html><head><meta charset="utf-8"><title>Preview</title>',
    '<style>html,body{margin:0;height:100%}body{display:grid;place-items:center}</style></head>',
    `<body>${iframeOf(url, zone.width, zone.height)}</body></html>`,
  ].join('\n');
  return { html, url };
}

const iframeOf = (url: string, width: number, height: number): string =>
  `<iframe src="${url}" width="${width}" height="${height}" frameborder="0" scrolling="no" style="border:0" title="Advertisement"></iframe>`;
