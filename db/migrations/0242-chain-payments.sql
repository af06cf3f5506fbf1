-- Payouts that the platform signs itself. The bytes are kept before they are sent anywhere: whatever is lost, the
-- same bytes go out again, and one number of a wallet pays once.
CREATE TABLE chain_wallets (
  -- `<chain id>:<address>`; its lock makes one signer of all processes.
  wallet text PRIMARY KEY,
  next_nonce bigint NOT NULL CHECK (next_nonce >= 0)
);

CREATE TABLE chain_payments (
  withdrawal_id bigint PRIMARY KEY REFERENCES payouts,
  wallet text NOT NULL REFERENCES chain_wallets,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  hash text NOT NULL UNIQUE CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  sealed_bytes bytea NOT NULL,
  amount_nanos bigint NOT NULL CHECK (amount_nanos > 0 AND amount_nanos % 1000 = 0),
  signed_at timestamptz NOT NULL DEFAULT now(),
  -- PAID: its tokens have moved, finally. DEAD: these bytes can never move any. Null: they still can.
  ended text CHECK (ended IN ('PAID', 'DEAD')),
  UNIQUE (wallet, nonce)
);
CREATE INDEX chain_payments_alive ON chain_payments (wallet) WHERE ended IS NULL;
CREATE INDEX chain_payments_signed ON chain_payments (wallet, signed_at);

-- What was signed stays as it was signed, and only an order that is on its way is signed for.
CREATE FUNCTION chain_payments_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.ended IS NOT NULL OR NOT EXISTS (SELECT FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
        WHERE p.withdrawal_id = NEW.withdrawal_id AND p.channel = 'USDT'
          AND p.state IN ('SENDING', 'ACCEPTED', 'UNKNOWN') AND w.arrival_nanos = NEW.amount_nanos) THEN
      RAISE EXCEPTION 'nothing is signed but what an order that is on its way pays'
        USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  ELSIF (NEW.withdrawal_id, NEW.wallet, NEW.nonce, NEW.hash, NEW.sealed_bytes, NEW.amount_nanos, NEW.signed_at)
     IS DISTINCT FROM
        (OLD.withdrawal_id, OLD.wallet, OLD.nonce, OLD.hash, OLD.sealed_bytes, OLD.amount_nanos, OLD.signed_at)
     OR OLD.ended = 'PAID' AND NEW.ended IS DISTINCT FROM 'PAID' THEN
    RAISE EXCEPTION 'what was signed stays as it was signed' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER chain_payments_guard BEFORE INSERT OR UPDATE ON chain_payments
  FOR EACH ROW EXECUTE FUNCTION chain_payments_guard();
CREATE TRIGGER chain_payments_kept BEFORE DELETE OR TRUNCATE ON chain_payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Whoever holds signed bytes can send them: money is not given back while they can move it.
CREATE FUNCTION payouts_signed_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM chain_payments c WHERE c.withdrawal_id = NEW.withdrawal_id
      AND c.ended IS DISTINCT FROM 'DEAD') THEN
    RAISE EXCEPTION 'signed bytes of this payout can still pay it'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_signed', TABLE = 'payouts';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payouts_signed_guard BEFORE UPDATE OF state ON payouts
  FOR EACH ROW WHEN (NEW.state = 'REJECTED' AND OLD.state IS DISTINCT FROM 'REJECTED')
  EXECUTE FUNCTION payouts_signed_guard();
