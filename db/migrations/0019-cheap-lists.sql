-- Lists that read more than they show, measured with 100,000 rows of one owner behind them. An index
-- whose last column is an ascending id is filled page by page, half as large as with a descending one,
-- and is read backwards as well.

-- What moved a balance, newest first, with what a statement is narrowed by: told from the index alone,
-- so that neither the count nor the balance after a move reads the history. The other side of each
-- transfer tells moves between an owner's own accounts from the rest.
CREATE INDEX ledger_transfers_of_debit ON ledger_transfers (debit_id, id) INCLUDE (credit_id, type);
CREATE INDEX ledger_transfers_of_credit ON ledger_transfers (credit_id, id) INCLUDE (debit_id, type);
DROP INDEX ledger_transfers_debit, ledger_transfers_credit;

-- Without `status`, which settlement changes: such an update stays off the indexes.
CREATE INDEX conversions_of_tracker ON conversions (tracker_id, id) INCLUDE (advertiser_id);
DROP INDEX conversions_tracker;

-- Only pages that vacuum has seen are read from the index alone.
ALTER TABLE ledger_transfers SET (autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE conversions SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Operators' lists of accounts: orders under way, per account of the page. Without these each row of the
-- page looked through all orders of the platform.
CREATE INDEX deposits_under_way ON deposits (advertiser_id) INCLUDE (amount_nanos)
  WHERE status IN ('PENDING', 'CONFIRMING', 'REVIEW');
CREATE INDEX withdrawals_under_way ON withdrawals (publisher_id)
  WHERE status IN ('PENDING', 'RISK_HOLD', 'APPROVED', 'PROCESSING', 'UNKNOWN');
CREATE INDEX accounts_of_status ON accounts (kind, status, id);
DROP INDEX accounts_listed;
