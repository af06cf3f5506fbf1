-- A bank's statement is kept whole: also what went out, what took an earlier movement back, and the balances that
-- all of it leads from and to. Only then can its difference to our books be said.
ALTER TABLE bank_statements
  -- Whether it was the account that payouts leave from, or that top-ups come to, when it was uploaded.
  ADD COLUMN pays_out boolean NOT NULL DEFAULT false,
  ADD COLUMN takes_in boolean NOT NULL DEFAULT false;

ALTER TABLE bank_statement_lines
  ADD COLUMN direction text NOT NULL DEFAULT 'IN' CHECK (direction IN ('IN', 'OUT')),
  ADD COLUMN is_reversal boolean NOT NULL DEFAULT false,
  -- Of what is no payment to us: all that it says, and which of several the same it is.
  ADD COLUMN identity text,
  -- The payout's own, where the line names one; more than one names none.
  ADD COLUMN payout_reference text,
  -- Nothing of the platform's: fees, rent. In the words of who said so.
  ADD COLUMN explanation text,
  ADD COLUMN explained_by bigint REFERENCES operators,
  ADD COLUMN explained_at timestamptz,
  ADD CHECK ((identity IS NULL) = (direction = 'IN' AND NOT is_reversal)),
  ADD CHECK (receipt_id IS NULL OR identity IS NULL),
  ADD CHECK ((explanation IS NULL) = (explained_by IS NULL) AND (explanation IS NULL) = (explained_at IS NULL));
ALTER TABLE bank_statement_lines DROP CONSTRAINT bank_statement_lines_account_reference_key;
DROP INDEX bank_statement_lines_reference;
CREATE UNIQUE INDEX bank_statement_lines_reference
  ON bank_statement_lines (bank_reference_key(account), bank_reference_key(reference)) WHERE identity IS NULL;
CREATE UNIQUE INDEX bank_statement_lines_identity
  ON bank_statement_lines (bank_reference_key(account), identity) WHERE identity IS NOT NULL;
CREATE INDEX bank_statement_lines_payout ON bank_statement_lines (payout_reference) WHERE payout_reference IS NOT NULL;

CREATE TABLE bank_statement_balances (
  statement_id bigint NOT NULL REFERENCES bank_statements,
  kind text NOT NULL CHECK (kind IN ('OPENING', 'CLOSING')),
  on_day date NOT NULL,
  -- Below zero where it is owed.
  amount_nanos bigint NOT NULL,
  PRIMARY KEY (statement_id, kind, on_day)
);

-- What the bank said stays as it said it.
CREATE FUNCTION bank_line_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.statement_id, NEW.account, NEW.line, NEW.booked_on, NEW.amount_nanos, NEW.currency, NEW.reference,
      NEW.payer, NEW.remittance, NEW.direction, NEW.is_reversal, NEW.identity, NEW.payout_reference)
     IS DISTINCT FROM
     (OLD.statement_id, OLD.account, OLD.line, OLD.booked_on, OLD.amount_nanos, OLD.currency, OLD.reference,
      OLD.payer, OLD.remittance, OLD.direction, OLD.is_reversal, OLD.identity, OLD.payout_reference) THEN
    RAISE EXCEPTION 'what a bank said stays as it said it' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bank_statement_lines_stay BEFORE UPDATE ON bank_statement_lines
  FOR EACH ROW EXECUTE FUNCTION bank_line_stays();
