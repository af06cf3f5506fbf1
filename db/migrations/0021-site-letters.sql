-- A site's owner has notice only when it is written to them (interface 4.9).
ALTER TABLE mails DROP CONSTRAINT mails_kind_check;
ALTER TABLE mails ADD CONSTRAINT mails_kind_check CHECK (kind IN (
  'password_reset', 'kyc_approved', 'kyc_rejected', 'kyc_expired', 'site_lapsing', 'site_lapsed'));
