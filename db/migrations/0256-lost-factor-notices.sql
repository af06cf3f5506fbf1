-- Support hears of a lost second factor as soon as somebody says so (interface 5.17, 5.9).
ALTER TABLE operator_notices
  DROP CONSTRAINT operator_notices_kind_check,
  ADD CONSTRAINT operator_notices_kind_check
    CHECK (kind IN ('task_late', 'task_escalated', 'flow_astray', 'conversions_late', 'factor_lost')),
  DROP CONSTRAINT operator_notices_subject_type_check,
  ADD CONSTRAINT operator_notices_subject_type_check
    CHECK (subject_type IN ('task', 'flow', 'advertiser', 'factor_recovery'));
