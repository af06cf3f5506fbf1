-- Which file the bank says that it was carried in: of one that was taken back (0435) its orders may be paid twice,
-- and finance is told (interface 4.12, 5.9).
ALTER TABLE payout_remarks ADD COLUMN carried_in text;
CREATE INDEX payout_remarks_carried ON payout_remarks (carried_in) WHERE carried_in IS NOT NULL;
ALTER TABLE operator_notices
  DROP CONSTRAINT operator_notices_kind_check,
  ADD CONSTRAINT operator_notices_kind_check
    CHECK (kind IN ('task_late', 'task_escalated', 'task_given', 'flow_astray', 'conversions_late', 'factor_lost',
      'old_file_at_bank')),
  DROP CONSTRAINT operator_notices_subject_type_check,
  ADD CONSTRAINT operator_notices_subject_type_check
    CHECK (subject_type IN ('task', 'flow', 'advertiser', 'factor_recovery', 'withdrawal'));
