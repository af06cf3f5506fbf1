-- A colleague is told of a task that was given to them (interface 5.9): a notice of one operator, and of no role.
ALTER TABLE operator_notices
  ALTER COLUMN role DROP NOT NULL,
  ADD COLUMN operator_id bigint REFERENCES operators,
  ADD CONSTRAINT operator_notices_reader CHECK (num_nonnulls(role, operator_id) = 1),
  DROP CONSTRAINT operator_notices_kind_check,
  ADD CONSTRAINT operator_notices_kind_check
    CHECK (kind IN ('task_late', 'task_escalated', 'task_given', 'flow_astray', 'conversions_late', 'factor_lost'));
CREATE INDEX operator_notices_operator ON operator_notices (operator_id, id) WHERE operator_id IS NOT NULL;
DO $$
DECLARE kinds text;
BEGIN
  SELECT pg_get_constraintdef(oid) INTO kinds FROM pg_constraint WHERE conname = 'mails_kind_check';
  ALTER TABLE mails DROP CONSTRAINT mails_kind_check;
  EXECUTE 'ALTER TABLE mails ADD CONSTRAINT mails_kind_check ' || replace(kinds, ']', ', ''task_given''::text]');
END $$;
