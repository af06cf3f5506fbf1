-- What its owner says against the round before; null of a round that is no appeal.
ALTER TABLE reviews ADD COLUMN appeal text;
-- Whether a revision of a creative was appealed before.
CREATE INDEX reviews_appealed ON reviews (subject_type, subject_id, revision) WHERE appeal IS NOT NULL;
