-- What was counted and not billed is asked for by day and reason. Only such events are in it, so what
-- is billed is written as fast as before.
CREATE INDEX events_unbilled ON events (day, reason, publisher_id, advertiser_id)
  WHERE NOT billable AND kind IN ('impression', 'click_verify', 'conversion');
