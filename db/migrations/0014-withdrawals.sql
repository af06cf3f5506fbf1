-- What a bank card shows without opening its seal, and what finds the same account again: a keyed
-- hash, so that nobody who reads the table can try account numbers.
ALTER TABLE bank_cards ADD COLUMN shown jsonb NOT NULL DEFAULT '{}';
ALTER TABLE bank_cards ADD COLUMN fingerprint text;
ALTER TABLE bank_cards ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE bank_cards ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX bank_cards_one_default ON bank_cards (publisher_id) WHERE is_default AND status = 'ACTIVE';
CREATE UNIQUE INDEX bank_cards_once ON bank_cards (publisher_id, fingerprint) WHERE status = 'ACTIVE';
CREATE INDEX bank_cards_fingerprint ON bank_cards (fingerprint);

ALTER TABLE withdrawals ADD COLUMN bank_card_id bigint REFERENCES bank_cards;
ALTER TABLE withdrawals ADD COLUMN destination_fingerprint text;
-- A new account waits a day before money leaves for it; the wait is fixed when the row is written.
ALTER TABLE withdrawals ADD COLUMN account_usable_from timestamptz NOT NULL DEFAULT now();
-- Fee and tax as they were configured when the amounts were computed.
ALTER TABLE withdrawals ADD COLUMN terms jsonb NOT NULL DEFAULT '{}';
ALTER TABLE withdrawals ADD COLUMN findings jsonb NOT NULL DEFAULT '[]';
-- Reviews of this withdrawal so far; the payout may send it back for another one.
ALTER TABLE withdrawals ADD COLUMN review_round integer NOT NULL DEFAULT 0;
ALTER TABLE withdrawals ADD COLUMN approved_by bigint REFERENCES operators;
-- End of the cooling-off window; until the payout begins its owner may cancel.
ALTER TABLE withdrawals ADD COLUMN not_before timestamptz;
ALTER TABLE withdrawals ADD COLUMN provider_reference text;
ALTER TABLE withdrawals ADD COLUMN paid_at timestamptz;
ALTER TABLE withdrawals ADD COLUMN version integer NOT NULL DEFAULT 1;
CREATE INDEX withdrawals_destination ON withdrawals (destination_fingerprint);
CREATE INDEX withdrawals_queue ON withdrawals (status, id DESC);

-- An approval is of this amount to this account: neither changes under it.
CREATE FUNCTION withdrawal_terms_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.publisher_id, NEW.amount_nanos, NEW.fee_nanos, NEW.tax_nanos, NEW.arrival_nanos, NEW.currency,
      NEW.channel, NEW.sealed_account, NEW.account_masked, NEW.destination_fingerprint)
     IS DISTINCT FROM
     (OLD.publisher_id, OLD.amount_nanos, OLD.fee_nanos, OLD.tax_nanos, OLD.arrival_nanos, OLD.currency,
      OLD.channel, OLD.sealed_account, OLD.account_masked, OLD.destination_fingerprint) THEN
    RAISE EXCEPTION 'amount and account of a withdrawal stay as they were requested'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER withdrawals_terms BEFORE UPDATE ON withdrawals
  FOR EACH ROW EXECUTE FUNCTION withdrawal_terms_stay();

-- The order to a bank or provider, written before anything leaves. One per withdrawal: an order
-- whose outcome is unknown is never replaced by a second one.
CREATE TABLE payouts (
  withdrawal_id bigint PRIMARY KEY REFERENCES withdrawals,
  channel text NOT NULL,
  -- What the provider knows it by: sent with every try, so that two tries are one payment there.
  external_ref text NOT NULL UNIQUE,
  state text NOT NULL CHECK (state IN ('READY', 'SENDING', 'FILE', 'ACCEPTED', 'UNKNOWN', 'SETTLED', 'REJECTED')),
  tries integer NOT NULL DEFAULT 0,
  looks integer NOT NULL DEFAULT 0,
  -- Questions put to operators about it.
  asked integer NOT NULL DEFAULT 0,
  sealed_file bytea,
  file_sha256 text,
  file_name text,
  last_outcome text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- What of each day's earnings has become withdrawable. Written with the transfer that moved it.
CREATE TABLE earnings_matured (
  publisher_id bigint NOT NULL REFERENCES accounts,
  shard integer NOT NULL,
  day date NOT NULL,
  matured_nanos bigint NOT NULL CHECK (matured_nanos > 0),
  PRIMARY KEY (publisher_id, shard, day)
);
CREATE INDEX earnings_matured_day ON earnings_matured (day);
-- One row per day that maturity has looked at; its lock puts parallel runs in a line, its counter
-- names their batches.
CREATE TABLE maturity_days (
  day date PRIMARY KEY,
  runs integer NOT NULL DEFAULT 0,
  looked_at timestamptz NOT NULL DEFAULT now()
);
-- Transfers are appended in time order, so a few pages of this index stand for all of them.
CREATE INDEX ledger_transfers_time ON ledger_transfers USING brin (created_at) WITH (pages_per_range = 32);

-- A flow asks for its open question at every step.
CREATE INDEX IF NOT EXISTS tasks_workflow ON tasks (workflow_id) WHERE status = 'open';
