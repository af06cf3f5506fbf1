-- A conversion is stored while its reporter waits. Of what PostgreSQL did for one, the look at its tracker's
-- row (a query and a lock of its own for each, though the statement that stores it has just read that row) and
-- one of two indexes on its click are left out: no tracker is ever deleted, which is said here instead, and the
-- key of a report begins with its click.
ALTER TABLE conversions DROP CONSTRAINT conversions_tracker_id_fkey;

CREATE FUNCTION keep_tracker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a tracker is never deleted: its conversions name it' USING ERRCODE = '23503';
END $$;
CREATE TRIGGER trackers_stay BEFORE DELETE ON trackers FOR EACH ROW EXECUTE FUNCTION keep_tracker();
CREATE TRIGGER trackers_keep_ids BEFORE UPDATE OF id ON trackers
  FOR EACH ROW WHEN (NEW.id <> OLD.id) EXECUTE FUNCTION keep_tracker();

DROP INDEX conversions_once, conversions_of_click;
CREATE UNIQUE INDEX conversions_once ON conversions (COALESCE(click_id, ''), COALESCE(tracker_id, 0), dedupe_key);

-- Nobody looks for those that have none.
DROP INDEX conversions_of_tracker, conversions_tracker_time, conversions_of_advertiser;
CREATE INDEX conversions_of_tracker ON conversions (tracker_id, id) INCLUDE (advertiser_id) WHERE tracker_id IS NOT NULL;
CREATE INDEX conversions_tracker_time ON conversions (tracker_id, created_at) WHERE tracker_id IS NOT NULL;
CREATE INDEX conversions_of_advertiser ON conversions (advertiser_id, id) WHERE advertiser_id IS NOT NULL;
