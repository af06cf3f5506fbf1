-- Which conversion an event stands for, so that the books can hold each to one charge.
ALTER TABLE events ADD COLUMN conversion_id bigint;

-- Marks are written several per event and deleted once an hour: rows of one age lie together, so a
-- block range finds the old ones and costs the writers almost nothing.
DROP INDEX event_marks_expiry;
CREATE INDEX event_marks_expiry ON event_marks USING brin (expires_at);
