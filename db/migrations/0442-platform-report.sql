-- The operators' report reads the days of all owners, and every key of these tables begins with the owner.
-- Rows come in the order of their time, so that a summary of pages finds a week without a key of its own,
-- and costs settlement next to nothing.
CREATE INDEX rollup_ad_hours_by_hour ON rollup_ad_hours USING brin (hour) WITH (pages_per_range = 32);
CREATE INDEX rollup_zone_hours_by_hour ON rollup_zone_hours USING brin (hour) WITH (pages_per_range = 32);
CREATE INDEX rollup_ad_traits_by_day ON rollup_ad_traits USING brin (day) WITH (pages_per_range = 32);
CREATE INDEX rollup_zone_traits_by_day ON rollup_zone_traits USING brin (day) WITH (pages_per_range = 32);
