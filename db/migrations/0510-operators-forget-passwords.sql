-- Operators set a forgotten password by letter, as accounts do (interface 5.2); the second factor is asked for after it.
ALTER TABLE password_resets ALTER COLUMN account_id DROP NOT NULL;
ALTER TABLE password_resets ADD COLUMN operator_id bigint REFERENCES operators;
ALTER TABLE password_resets ADD CONSTRAINT password_resets_reader
  CHECK ((account_id IS NULL) <> (operator_id IS NULL) AND (member_id IS NULL OR account_id IS NOT NULL));
CREATE INDEX password_resets_operator ON password_resets (operator_id, created_at) WHERE operator_id IS NOT NULL;
