-- An export that is cut goes on from where it was: its lines lie in files of their own until the whole is written.
CREATE TABLE report_export_parts (
  export_id bigint NOT NULL REFERENCES report_exports ON DELETE CASCADE,
  part integer NOT NULL CHECK (part > 0),
  file text NOT NULL,
  lines integer NOT NULL CHECK (lines > 0),
  -- Keys of its last line, as text and in the order of the report; null where a line has none.
  last_keys jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (export_id, part)
);

-- What the first attempt said of the whole file: every line repeats the one, progress is told by the other.
ALTER TABLE report_exports
  ADD COLUMN begun_at timestamptz,
  ADD COLUMN settled_at timestamptz,
  ADD COLUMN lines_expected bigint;
