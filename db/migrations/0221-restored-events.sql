-- An upheld appeal bills what was removed: in batches, and once. Above the operators' limit a second person
-- agrees first.
ALTER TABLE removal_appeals
  ADD COLUMN upheld_by bigint REFERENCES operators,
  ADD COLUMN restore_batches integer NOT NULL DEFAULT 0,
  ADD COLUMN restored_at timestamptz;
CREATE INDEX event_corrections_appeal ON event_corrections (appeal_id) WHERE appeal_id IS NOT NULL;

DO $$
DECLARE
  kinds text;
BEGIN
  SELECT pg_get_constraintdef(oid) INTO kinds FROM pg_constraint WHERE conname = 'tasks_kind_check';
  ALTER TABLE tasks DROP CONSTRAINT tasks_kind_check;
  EXECUTE 'ALTER TABLE tasks ADD CONSTRAINT tasks_kind_check '
    || replace(kinds, ']', ', ''removal_appeal_second_approval''::text]');
END $$;
