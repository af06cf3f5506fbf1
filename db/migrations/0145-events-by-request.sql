-- A bid belongs to one ad request, whose id settlement looks events up by: a second index of random texts
-- was a tenth of what an event costs PostgreSQL. Rewards keep the request of their ad, by which its
-- impression is found.
ALTER TABLE rewards ADD COLUMN request_id text;
UPDATE rewards r SET request_id = (
  SELECT e.request_id FROM events e
  WHERE e.bid_id = r.bid_id AND e.day >= (r.issued_at AT TIME ZONE 'UTC')::date - 1
  LIMIT 1)
WHERE r.granted_at IS NULL;
DROP INDEX events_bid;
