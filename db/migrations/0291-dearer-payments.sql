-- A payment that no block takes for its fee is signed again, dearer, under the same number: of all bytes under one
-- number a chain carries out one. The row keeps the newest bytes, and by their hashes the ones before, which may still
-- be carried out. Fees in wei for a unit of gas; null of builds before, whose payments are not signed again.
ALTER TABLE chain_payments
  ADD COLUMN fee_wei bigint CHECK (fee_wei > 0),
  ADD COLUMN tip_wei bigint CHECK (tip_wei BETWEEN 0 AND fee_wei),
  ADD COLUMN earlier_hashes jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN replaced_at timestamptz;

-- Of what was signed only this changes: other, dearer bytes while it has not ended, and the name of the ones before.
CREATE OR REPLACE FUNCTION chain_payments_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.ended IS NOT NULL OR NEW.replaced_at IS NOT NULL OR NEW.earlier_hashes <> '[]'
      OR NOT EXISTS (SELECT FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
        WHERE p.withdrawal_id = NEW.withdrawal_id AND p.channel = 'USDT'
          AND p.state IN ('SENDING', 'ACCEPTED', 'UNKNOWN') AND w.arrival_nanos = NEW.amount_nanos) THEN
      RAISE EXCEPTION 'nothing is signed but what an order that is on its way pays'
        USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  ELSIF (NEW.withdrawal_id, NEW.wallet, NEW.nonce, NEW.amount_nanos, NEW.signed_at)
     IS DISTINCT FROM (OLD.withdrawal_id, OLD.wallet, OLD.nonce, OLD.amount_nanos, OLD.signed_at)
     OR OLD.ended = 'PAID' AND NEW.ended IS DISTINCT FROM 'PAID'
     OR (NEW.hash, NEW.sealed_bytes, NEW.fee_wei, NEW.tip_wei, NEW.earlier_hashes, NEW.replaced_at)
        IS DISTINCT FROM
        (OLD.hash, OLD.sealed_bytes, OLD.fee_wei, OLD.tip_wei, OLD.earlier_hashes, OLD.replaced_at)
     AND NOT COALESCE(OLD.ended IS NULL AND NEW.ended IS NULL
       AND NEW.hash <> OLD.hash AND NEW.sealed_bytes <> OLD.sealed_bytes
       AND NEW.earlier_hashes = OLD.earlier_hashes || jsonb_build_array(OLD.hash)
       AND NEW.fee_wei > OLD.fee_wei AND NEW.tip_wei > OLD.tip_wei
       AND NEW.replaced_at > COALESCE(OLD.replaced_at, OLD.signed_at), false) THEN
    RAISE EXCEPTION 'what was signed stays as it was signed' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
