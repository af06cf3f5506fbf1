-- Three to four rows of marks per impression become at most one. What is known of a bid (its impression,
-- what was counted, which nonces were used) is read from its judged events and their facts, and so are the
-- counts per viewer and minute, which settlement otherwise keeps in memory. What stays is when a viewer's
-- last event of a kind was counted for a creative, under 23 bytes: a letter for the kind, the viewer's
-- key, the creative's id.
CREATE TABLE viewer_marks (
  key bytea PRIMARY KEY,
  seen_at timestamptz NOT NULL
);
INSERT INTO viewer_marks (key, seen_at)
SELECT convert_to(CASE kind WHEN 'impression_dedup' THEN 'i' WHEN 'click_dedup' THEN 'c' ELSE 'v' END, 'UTF8')
         || decode(split_part(key, ':', 1), 'hex')
         || substring(int8send(split_part(key, ':', 2)::bigint) FROM 3),
       seen_at
FROM event_marks
WHERE kind IN ('impression_dedup', 'click_dedup', 'view_dedup') AND key ~ '^[0-9a-f]{32}:[0-9]{1,14}$';
DROP TABLE event_marks;
ALTER TABLE viewer_marks RENAME TO event_marks;
ALTER INDEX viewer_marks_pkey RENAME TO event_marks_pkey;
CREATE INDEX event_marks_expiry ON event_marks USING brin (seen_at);

-- Nothing that was received later has been judged: minutes after it need not be looked up.
ALTER TABLE settlement_cursors ADD COLUMN latest_at timestamptz NOT NULL DEFAULT '-infinity';
UPDATE settlement_cursors c SET latest_at = COALESCE(
  (SELECT max(e.received_at) FROM events e WHERE e.shard = c.shard), '-infinity');
