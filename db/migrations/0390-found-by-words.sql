-- What people are asked for on the phone is what they look for: a name, a package, a bank's or a provider's own
-- reference however it is written.
CREATE INDEX deposit_receipts_by_reference ON deposit_receipts (bank_reference_key(provider_reference));
CREATE INDEX withdrawals_by_reference ON withdrawals (bank_reference_key(provider_reference))
  WHERE provider_reference IS NOT NULL;
CREATE INDEX bank_statement_lines_by_reference ON bank_statement_lines (bank_reference_key(reference));
-- How money is under way, for whoever may see that and not the money.
CREATE INDEX operations_of_money ON operations (subject_type, subject_id)
  WHERE subject_type IN ('deposit', 'withdrawal');

DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX accounts_names ON accounts USING gin (contact_name gin_trgm_ops, nickname gin_trgm_ops);
    CREATE INDEX sites_packages ON sites USING gin (app_package gin_trgm_ops);
  END IF;
END $$;
