-- Counts the writes of a record, so that an edit can say which state it was made from (If-Match).
ALTER TABLE trackers ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE settings ADD COLUMN version integer NOT NULL DEFAULT 1;

-- The statistics of a tracker read its conversions of some days.
CREATE INDEX conversions_tracker_time ON conversions (tracker_id, created_at);
