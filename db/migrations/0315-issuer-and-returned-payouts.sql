-- Who issues documents is asked for by one person and approved by another, as what lets money move is.
CREATE OR REPLACE FUNCTION setting_governs_money(key text) RETURNS boolean LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
  SELECT key LIKE 'deposit.%' OR key LIKE 'payout.%' OR key LIKE 'issuer.%' OR key = 'review.withdrawal'
$$;

-- A payout that came back has a credit note, as one that was paid has a receipt.
CREATE INDEX ledger_batches_documents ON ledger_batches (id)
  WHERE kind IN ('deposit_credited', 'withdrawal_paid', 'withdrawal_returned');
DROP INDEX ledger_batches_receipts;
