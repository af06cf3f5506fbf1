-- Balances move once per account and statement instead of twice per transfer: a settlement batch posts
-- hundreds of transfers through one clearing account. Whoever posts says what each transfer leaves on both
-- sides, because he has locked the accounts; here the accounts move by what all of them sum up to, and every
-- link is held to the balance before it. A statement that says none (a process of the build before) has
-- them filled in. No transfer may leave an account below its floor, also not on the way to a sound end.
DROP TRIGGER ledger_transfers_apply ON ledger_transfers;
DROP FUNCTION ledger_apply();

CREATE FUNCTION ledger_apply() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong bigint;
  unsaid bigint;
  below bigint;
BEGIN
  WITH sides AS (
    SELECT id, debit_id AS account_id, -amount_nanos AS moved, debit_balance_after_nanos AS said FROM added
    UNION ALL
    SELECT id, credit_id, amount_nanos, credit_balance_after_nanos FROM added
  ), net AS (
    SELECT account_id, sum(moved)::bigint AS moved FROM sides GROUP BY account_id
  ), accounts AS (
    UPDATE ledger_accounts a SET balance_nanos = a.balance_nanos + net.moved
    FROM net WHERE a.id = net.account_id
    RETURNING a.id, a.balance_nanos - net.moved AS before_nanos, a.floor_nanos
  ), links AS (
    SELECT s.said, a.floor_nanos,
           a.before_nanos + sum(s.moved) OVER (PARTITION BY s.account_id ORDER BY s.id) AS left_nanos
    FROM sides s JOIN accounts a ON a.id = s.account_id
  )
  SELECT count(*) FILTER (WHERE said <> left_nanos), count(*) FILTER (WHERE said IS NULL),
         count(*) FILTER (WHERE left_nanos < floor_nanos)
  INTO wrong, unsaid, below FROM links;
  IF below > 0 THEN
    RAISE EXCEPTION 'a transfer leaves an account below its floor (no_overdraft)'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'no_overdraft', TABLE = 'ledger_accounts';
  END IF;
  IF wrong > 0 THEN
    RAISE EXCEPTION 'a transfer does not leave the balance that it says'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF unsaid > 0 THEN
    WITH sides AS (
      SELECT id, debit_id AS account_id, -amount_nanos AS moved, false AS is_credit FROM added
      UNION ALL
      SELECT id, credit_id, amount_nanos, true FROM added
    ), links AS (
      SELECT s.id, s.is_credit, a.balance_nanos - sum(s.moved) OVER (PARTITION BY s.account_id ORDER BY s.id DESC)
               + s.moved AS left_nanos
      FROM sides s JOIN ledger_accounts a ON a.id = s.account_id
    )
    UPDATE ledger_transfers t
    SET debit_balance_after_nanos = d.left_nanos, credit_balance_after_nanos = c.left_nanos
    FROM links d, links c
    WHERE d.id = t.id AND NOT d.is_credit AND c.id = t.id AND c.is_credit;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_transfers_apply AFTER INSERT ON ledger_transfers
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply();

-- Depth 0 is a statement sent by a client; only the function above writes from within a trigger.
DROP TRIGGER ledger_transfers_append_only ON ledger_transfers;
CREATE TRIGGER ledger_transfers_append_only BEFORE UPDATE ON ledger_transfers
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transfers_kept BEFORE DELETE OR TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
