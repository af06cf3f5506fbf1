-- What one viewer sent in a minute is counted by the shard that judges it, in memory. With more than one shard
-- each tells the others of those who come near a limit, so that nobody has it once per shard. Told before the
-- batch is judged, and by itself: two shards that meet the same viewer at once both know.
CREATE TABLE viewer_rates (
  minute timestamptz NOT NULL,
  viewer text NOT NULL,
  shard smallint NOT NULL,
  events integer NOT NULL CHECK (events > 0),
  PRIMARY KEY (minute, viewer, shard)
);
