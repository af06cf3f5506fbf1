-- The bank has booked an order whose money was given back: it has left twice, and finance is told (interface 4.12, 5.9).
ALTER TABLE operator_notices
  DROP CONSTRAINT operator_notices_kind_check,
  ADD CONSTRAINT operator_notices_kind_check
    CHECK (kind IN ('task_late', 'task_escalated', 'task_given', 'flow_astray', 'conversions_late', 'factor_lost',
      'old_file_at_bank', 'paid_after_failed'));
