-- Reports show counted views of videos: they lie in the key's index beside the other counts (0018).
ALTER TABLE rollup_ad_hours DROP CONSTRAINT rollup_ad_hours_pkey,
  ADD PRIMARY KEY (advertiser_id, hour, campaign_id, adgroup_id, ad_id, creative_id)
  INCLUDE (impressions, viewable, views, clicks, conversions, removed, spend_nanos);
ALTER TABLE rollup_zone_hours DROP CONSTRAINT rollup_zone_hours_pkey,
  ADD PRIMARY KEY (publisher_id, hour, site_id, zone_id)
  INCLUDE (requests, impressions, viewable, views, clicks, conversions, removed, revenue_nanos);
ALTER TABLE rollup_ad_traits DROP CONSTRAINT rollup_ad_traits_pkey,
  ADD PRIMARY KEY (advertiser_id, day, campaign_id, country, device, os, browser)
  INCLUDE (impressions, viewable, views, clicks, conversions, removed, spend_nanos);
ALTER TABLE rollup_zone_traits DROP CONSTRAINT rollup_zone_traits_pkey,
  ADD PRIMARY KEY (publisher_id, day, site_id, zone_id, country, device, os, browser)
  INCLUDE (impressions, viewable, views, clicks, conversions, removed, revenue_nanos);
