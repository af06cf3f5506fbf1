-- A held conversion with findings has an end: until `decide_by` a person may decide, then it is rejected.
-- Those that wait today have the whole time from now on.
ALTER TABLE conversions ADD COLUMN decide_by timestamptz;
UPDATE conversions SET decide_by = now() + interval '30 days' WHERE status = 'PENDING' AND due_at IS NULL;
ALTER TABLE conversions ADD CONSTRAINT conversions_decided_is_pending
  CHECK (decide_by IS NULL OR (status = 'PENDING' AND due_at IS NULL));
CREATE INDEX conversions_undecided ON conversions (decide_by) WHERE decide_by IS NOT NULL;
