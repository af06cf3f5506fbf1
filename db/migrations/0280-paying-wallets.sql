-- The wallet of ours, `<chain id>:<address>`, that an order is paid from; null where somebody else pays it. Such an
-- order is PAID by bytes that were signed and have moved its tokens, or by a person's word once they are dead.
ALTER TABLE payouts ADD COLUMN paying_wallet text;
UPDATE payouts p SET paying_wallet = c.wallet FROM chain_payments c WHERE c.withdrawal_id = p.withdrawal_id;

-- While signed bytes can move tokens nobody says how the order ended: neither that it failed nor that it was paid.
CREATE OR REPLACE FUNCTION payouts_signed_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM chain_payments c WHERE c.withdrawal_id = NEW.withdrawal_id
      AND (c.ended IS NULL OR c.ended = 'PAID' AND NEW.state = 'REJECTED')) THEN
    RAISE EXCEPTION 'signed bytes of this payout can still pay it'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_signed', TABLE = 'payouts';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER payouts_signed_guard ON payouts;
CREATE TRIGGER payouts_signed_guard BEFORE UPDATE OF state ON payouts
  FOR EACH ROW WHEN (NEW.state IN ('REJECTED', 'SETTLED') AND OLD.state IS DISTINCT FROM NEW.state)
  EXECUTE FUNCTION payouts_signed_guard();
