-- What concerns an account, whoever did it: its own history reads it by this. Older rows have none.
ALTER TABLE audit_log ADD COLUMN account_id bigint;
CREATE INDEX audit_log_account ON audit_log (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX audit_log_account_subject ON audit_log (account_id, subject_type, subject_id, id)
  WHERE account_id IS NOT NULL;
