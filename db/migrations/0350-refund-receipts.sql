-- What of a balance was sent back has a receipt, as what was paid in has.
ALTER TABLE documents DROP CONSTRAINT documents_kind_check, ADD CONSTRAINT documents_kind_check CHECK
  (kind IN ('STATEMENT', 'INVOICE', 'CREDIT_NOTE', 'DEPOSIT_RECEIPT', 'PAYOUT_RECEIPT', 'REFUND_RECEIPT'));
CREATE INDEX ledger_batches_papers ON ledger_batches (id)
  WHERE kind IN ('deposit_credited', 'withdrawal_paid', 'withdrawal_returned', 'balance_refund_sent');
DROP INDEX ledger_batches_documents;
