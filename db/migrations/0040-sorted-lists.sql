-- Orders of owners' lists by which people look for one of many. Amounts are sorted per owner: nobody
-- turns pages by a bid.
CREATE INDEX campaigns_by_name ON campaigns (advertiser_id, lower(name), id);
CREATE INDEX campaigns_by_creation ON campaigns (advertiser_id, created_at, id);
CREATE INDEX campaigns_by_change ON campaigns (advertiser_id, updated_at, id);
CREATE INDEX ad_groups_by_name ON ad_groups (advertiser_id, lower(name), id);
CREATE INDEX ad_groups_by_creation ON ad_groups (advertiser_id, created_at, id);
CREATE INDEX ad_groups_by_change ON ad_groups (advertiser_id, updated_at, id);
CREATE INDEX ads_by_name ON ads (advertiser_id, lower(name), id);
CREATE INDEX ads_by_creation ON ads (advertiser_id, created_at, id);
CREATE INDEX ads_by_change ON ads (advertiser_id, updated_at, id);
CREATE INDEX creatives_by_name ON creatives (advertiser_id, lower(name), id);
CREATE INDEX creatives_by_creation ON creatives (advertiser_id, created_at, id);
CREATE INDEX creatives_by_change ON creatives (advertiser_id, updated_at, id);
CREATE INDEX media_by_name ON media (advertiser_id, lower(name), id);
CREATE INDEX media_by_creation ON media (advertiser_id, created_at, id);
CREATE INDEX zones_by_name ON zones (publisher_id, lower(name), id);
CREATE INDEX zones_by_creation ON zones (publisher_id, created_at, id);
CREATE INDEX zones_by_change ON zones (publisher_id, updated_at, id);
CREATE INDEX sites_by_name ON sites (publisher_id, lower(name), id);
CREATE INDEX sites_by_creation ON sites (publisher_id, created_at, id);
CREATE INDEX deposits_by_creation ON deposits (advertiser_id, created_at, id);
CREATE INDEX withdrawals_by_creation ON withdrawals (publisher_id, created_at, id);
