-- An identity is renewed before it ends: the one before stands until the new one is approved.
ALTER TABLE kyc_applications DROP CONSTRAINT kyc_applications_status_check;
ALTER TABLE kyc_applications ADD CONSTRAINT kyc_applications_status_check
  CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'SUPERSEDED'));
-- Which of the reminders before its end was the last: 30, 7 or 1 day.
ALTER TABLE kyc_applications ADD COLUMN reminded_days integer;
