-- A view may be shown to everybody of its person's account, or to all operators (interface 5.10).
ALTER TABLE saved_views ADD COLUMN is_shared boolean NOT NULL DEFAULT false;
CREATE INDEX saved_views_shared ON saved_views (person_type, person_id) WHERE is_shared;
