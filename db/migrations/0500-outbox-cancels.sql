-- A flow is told to stop, through Temporal, beside the row that says so.
ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check;
ALTER TABLE outbox ADD CONSTRAINT outbox_kind_check
  CHECK (kind IN ('workflow_start', 'workflow_signal', 'workflow_update', 'workflow_cancel', 'publish')) NOT VALID;
ALTER TABLE outbox VALIDATE CONSTRAINT outbox_kind_check;
