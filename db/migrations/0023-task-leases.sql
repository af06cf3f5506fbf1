-- Who works on a task, so that two do not decide the same one; run out, it is nobody's.
ALTER TABLE tasks
  ADD COLUMN lease_operator_id bigint REFERENCES operators,
  ADD COLUMN lease_until timestamptz,
  ADD CONSTRAINT tasks_lease_whole CHECK ((lease_operator_id IS NULL) = (lease_until IS NULL));
CREATE INDEX tasks_lease ON tasks (lease_operator_id) WHERE lease_operator_id IS NOT NULL;

-- The queue is read by urgency, under each of its filters, and by age.
CREATE INDEX tasks_due ON tasks (due_at, id);
CREATE INDEX tasks_opened ON tasks (opened_at, id);
CREATE INDEX tasks_status_due ON tasks (status, due_at, id);
CREATE INDEX tasks_kind_due ON tasks (kind, due_at, id);
CREATE INDEX tasks_assignee_due ON tasks (assignee_id, due_at, id);
CREATE INDEX tasks_subject_id ON tasks (subject_id);
DROP INDEX tasks_queue, tasks_kind, tasks_assignee;
