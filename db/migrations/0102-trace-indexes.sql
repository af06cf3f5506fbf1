-- Events are looked up by whole request and bid ids, never by a range of them: a hash of four bytes is a
-- third of what the ids themselves take, and nothing is sorted into its place.
DROP INDEX events_request, events_bid;
CREATE INDEX events_request ON events USING hash (request_id);
CREATE INDEX events_bid ON events USING hash (bid_id);
