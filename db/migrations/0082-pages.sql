-- What a page says of itself in an ad request, once for all requests that say the same. An event names it
-- by the id that the ad's seal carries; the row is written after the answer, by the serving process.
CREATE TABLE pages (
  id bigint PRIMARY KEY CHECK (id > 0),
  host text,
  url text,
  title text,
  keywords jsonb NOT NULL,
  categories jsonb NOT NULL,
  tags jsonb NOT NULL,
  type text,
  lang text,
  -- The last day on which it asked; upkeep lets go of what asked long ago.
  seen_on date NOT NULL
);
CREATE INDEX pages_seen ON pages (seen_on);

ALTER TABLE events ADD COLUMN page_id bigint;

ALTER TABLE campaigns ADD COLUMN target_keywords jsonb,
  ADD COLUMN target_categories jsonb,
  ADD COLUMN target_languages jsonb;
ALTER TABLE ad_groups ADD COLUMN target_keywords jsonb,
  ADD COLUMN target_categories jsonb,
  ADD COLUMN target_languages jsonb;
