-- Two kinds more than there are, whichever these are by now: a step of a flow was refused, and somebody mends it.
DO $$
DECLARE
  kinds text;
BEGIN
  SELECT pg_get_constraintdef(oid) INTO kinds FROM pg_constraint WHERE conname = 'tasks_kind_check';
  ALTER TABLE tasks DROP CONSTRAINT tasks_kind_check;
  EXECUTE 'ALTER TABLE tasks ADD CONSTRAINT tasks_kind_check '
    || replace(kinds, ']', ', ''money_refused''::text, ''review_refused''::text]');
END $$;
