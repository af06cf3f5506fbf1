-- Which transfer goes from where to where, and by which approval. What is not here goes nowhere.
CREATE TABLE ledger_moves (
  type text PRIMARY KEY,
  debit_kinds text[] NOT NULL,
  credit_kind text NOT NULL,
  -- Between accounts of one owner.
  same_owner boolean NOT NULL DEFAULT false,
  -- Uses an approval of this kind up.
  approval_kind text REFERENCES approval_kinds,
  -- Where its subject is named in the batch; null: the transfer's own subject.
  subject_field text,
  -- Which amount of its content is moved, by one transfer; null: the batch's transfers of this type are its amount.
  amount_field text
);
INSERT INTO ledger_moves (type, debit_kinds, credit_kind, same_owner, approval_kind, subject_field, amount_field) VALUES
  ('SPEND', '{advertiser_available}', 'billing_clearing', false, NULL, NULL, NULL),
  ('EARNING', '{billing_clearing}', 'publisher_earned', false, NULL, NULL, NULL),
  ('PLATFORM_FEE', '{billing_clearing}', 'platform_revenue', false, NULL, NULL, NULL),
  ('EARNING_MATURED', '{publisher_earned}', 'publisher_withdrawable', true, NULL, NULL, NULL),
  ('DEPOSIT_RECEIVED', '{world}', 'suspense', false, NULL, NULL, NULL),
  ('DEPOSIT', '{suspense}', 'advertiser_available', false, 'deposit_credit', 'receipt_id', 'amount_nanos'),
  ('DEPOSIT_REFUND', '{suspense}', 'world', false, 'deposit_refund', 'receipt_id', 'amount_nanos'),
  ('WITHDRAWAL_HOLD', '{publisher_withdrawable}', 'publisher_hold', true, NULL, NULL, NULL),
  ('WITHDRAWAL_RELEASE', '{publisher_hold}', 'publisher_withdrawable', true, NULL, NULL, NULL),
  ('WITHDRAWAL', '{publisher_hold}', 'world', false, 'withdrawal', NULL, 'arrival_nanos'),
  ('WITHDRAWAL_FEE', '{publisher_hold}', 'payout_fee', false, 'withdrawal', NULL, 'fee_nanos'),
  ('WITHDRAWAL_TAX', '{publisher_hold}', 'tax_payable', false, 'withdrawal', NULL, 'tax_nanos'),
  ('WITHDRAWAL_RETURNED', '{world}', 'publisher_withdrawable', false, 'withdrawal_return', NULL, 'arrival_nanos'),
  ('WITHDRAWAL_TAX_RETURNED', '{tax_payable}', 'publisher_withdrawable', false, 'withdrawal_return', NULL, 'tax_nanos'),
  ('EARNING_REVERSED', '{publisher_earned,publisher_debt}', 'correction_clearing', false, NULL, NULL, NULL),
  ('FEE_REVERSED', '{platform_revenue}', 'correction_clearing', false, NULL, NULL, NULL),
  ('SPEND_REVERSED', '{correction_clearing}', 'advertiser_available', false, NULL, NULL, NULL),
  ('SPEND_RESTORED', '{advertiser_available}', 'correction_clearing', false, NULL, NULL, NULL),
  ('APPEAL_COST', '{appeal_cost}', 'correction_clearing', false, NULL, NULL, NULL),
  ('FEE_RESTORED', '{correction_clearing}', 'platform_revenue', false, NULL, NULL, NULL),
  ('EARNING_RESTORED', '{correction_clearing}', 'publisher_earned', false, NULL, NULL, NULL),
  ('DEBT_PAID', '{publisher_withdrawable}', 'publisher_debt', true, NULL, NULL, NULL);

-- Uses the approval of a batch up; the batch's other transfers by the same approval find it used by themselves.
-- Raises where there is none of just this. Not for clients.
CREATE FUNCTION use_approval(m ledger_moves, of_subject text, batch bigint, about bigint, owner bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  a approvals;
  moved numeric;
  times bigint;
BEGIN
  SELECT * INTO a FROM approvals p WHERE p.kind = m.approval_kind AND p.subject = of_subject
    AND (p.state = 'APPROVED' OR (p.state = 'APPLIED' AND p.batch_id = batch)) FOR UPDATE;
  IF FOUND THEN
    SELECT sum(l.amount_nanos), count(*) INTO moved, times FROM ledger_transfers l
    WHERE l.batch_id = batch AND l.type = m.type AND (m.subject_field IS NOT NULL OR l.subject_id = about);
  END IF;
  IF a.id IS NULL OR (a.state = 'APPROVED' AND NOT approval_is_current(a))
     OR owner <> a.account_id
     OR moved::text <> COALESCE(CASE WHEN m.amount_field IS NULL THEN a.amount_nanos::text ELSE a.content ->> m.amount_field END, '')
     OR (m.amount_field IS NOT NULL AND times > 1) THEN
    RAISE EXCEPTION 'no approval of just this: % %', m.approval_kind, of_subject
      USING ERRCODE = 'check_violation', CONSTRAINT = 'money_needs_approval';
  END IF;
  IF a.state = 'APPROVED' THEN
    UPDATE approvals SET state = 'APPLIED', batch_id = batch WHERE id = a.id;
  END IF;
END $$;

-- As before (0101), and every side is one of its type's; what persons let move uses an approval up.
CREATE OR REPLACE FUNCTION ledger_apply() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  wrong bigint;
  unsaid bigint;
  below bigint;
  astray text;
  guarded bigint;
  each record;
BEGIN
  WITH sides AS (
    SELECT id, type, false AS is_credit, debit_id AS account_id, -amount_nanos AS moved, debit_balance_after_nanos AS said FROM added
    UNION ALL
    SELECT id, type, true, credit_id, amount_nanos, credit_balance_after_nanos FROM added
  ), net AS (
    SELECT account_id, sum(moved)::bigint AS moved FROM sides GROUP BY account_id
  ), accounts AS (
    UPDATE ledger_accounts a SET balance_nanos = a.balance_nanos + net.moved
    FROM net WHERE a.id = net.account_id
    RETURNING a.id, a.balance_nanos - net.moved AS before_nanos, a.floor_nanos, a.kind
  ), links AS (
    SELECT s.said, s.type, s.is_credit, a.floor_nanos, m.approval_kind IS NOT NULL OR m.same_owner AS is_guarded,
           COALESCE(CASE WHEN s.is_credit THEN a.kind = m.credit_kind ELSE a.kind = ANY (m.debit_kinds) END, false) AS fits, a.kind,
           a.before_nanos + sum(s.moved) OVER (PARTITION BY s.account_id ORDER BY s.id) AS left_nanos
    FROM sides s JOIN accounts a ON a.id = s.account_id LEFT JOIN ledger_moves m ON m.type = s.type
  )
  SELECT count(*) FILTER (WHERE said <> left_nanos), count(*) FILTER (WHERE said IS NULL),
         count(*) FILTER (WHERE left_nanos < floor_nanos),
         min(type || CASE WHEN is_credit THEN ' to ' ELSE ' from ' END || kind) FILTER (WHERE NOT fits),
         count(*) FILTER (WHERE is_guarded)
  INTO wrong, unsaid, below, astray, guarded FROM links;
  IF below > 0 THEN
    RAISE EXCEPTION 'a transfer leaves an account below its floor (no_overdraft)'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'no_overdraft', TABLE = 'ledger_accounts';
  END IF;
  IF wrong > 0 THEN
    RAISE EXCEPTION 'a transfer does not leave the balance that it says'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF (astray IS NOT NULL OR guarded > 0) AND is_owner() THEN
    astray := NULL;
    guarded := 0;
  END IF;
  IF astray IS NOT NULL THEN
    RAISE EXCEPTION 'no transfer goes so: % (ledger_moves)', astray USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_moves';
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
  IF guarded > 0 THEN
    FOR each IN SELECT m AS move, n.batch_id, n.subject_id, n.amount_nanos, d.owner_id AS debtor, c.owner_id AS creditor,
                  CASE WHEN m.subject_field IS NULL THEN n.subject_id::text ELSE b.ref ->> m.subject_field END AS subject
                FROM added n JOIN ledger_moves m ON m.type = n.type JOIN ledger_batches b ON b.id = n.batch_id
                JOIN ledger_accounts d ON d.id = n.debit_id JOIN ledger_accounts c ON c.id = n.credit_id
                WHERE m.same_owner OR m.approval_kind IS NOT NULL ORDER BY n.id LOOP
      IF (each.move).same_owner AND each.debtor IS DISTINCT FROM each.creditor THEN
        RAISE EXCEPTION 'no transfer goes so: % from one owner to another (ledger_moves)', (each.move).type
          USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_moves';
      END IF;
      IF (each.move).type = 'WITHDRAWAL_RELEASE' AND NOT EXISTS (SELECT 1 FROM withdrawals w WHERE w.id = each.subject_id
           AND w.publisher_id = each.creditor AND w.amount_nanos = each.amount_nanos AND w.status IN ('REJECTED', 'CANCELLED', 'FAILED')) THEN
        RAISE EXCEPTION 'withdrawal % has not ended unpaid', each.subject_id
          USING ERRCODE = 'check_violation', CONSTRAINT = 'money_needs_approval';
      END IF;
      IF (each.move).approval_kind IS NOT NULL THEN
        PERFORM use_approval(each.move, each.subject, each.batch_id, each.subject_id, COALESCE(each.creditor, each.debtor));
      END IF;
    END LOOP;
  END IF;
  RETURN NULL;
END $$;

-- A withdrawal is on its way to be paid only while it is approved as it is; what ends it otherwise, and what
-- sends it back to a person, voids that. From the point of no return it does not come back to be approved again.
CREATE FUNCTION withdrawal_needs_approval() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  a approvals;
BEGIN
  IF OLD.status NOT IN ('PENDING', 'RISK_HOLD', 'APPROVED') AND NEW.status IN ('PENDING', 'RISK_HOLD', 'APPROVED', 'REJECTED', 'CANCELLED') AND NOT is_owner()
     OR NEW.status = 'FAILED' AND NOT is_owner() AND EXISTS (SELECT 1 FROM payouts p WHERE p.withdrawal_id = NEW.id AND p.state <> 'REJECTED') THEN
    RAISE EXCEPTION 'withdrawal % has begun to be paid', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'money_needs_approval';
  END IF;
  IF NEW.status IN ('APPROVED', 'PROCESSING') THEN
    SELECT * INTO a FROM approvals WHERE kind = 'withdrawal' AND subject = NEW.id::text AND state = 'APPROVED';
    IF a.id IS NULL OR NOT approval_is_current(a) THEN
      RAISE EXCEPTION 'no approval of just this: withdrawal %', NEW.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'money_needs_approval';
    END IF;
  ELSIF NEW.status IN ('RISK_HOLD', 'REJECTED', 'CANCELLED', 'FAILED') THEN
    UPDATE approvals SET state = 'VOID' WHERE kind = 'withdrawal' AND subject = NEW.id::text AND state IN ('PROPOSED', 'APPROVED');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER withdrawals_approved BEFORE UPDATE OF status ON withdrawals
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM OLD.status) EXECUTE FUNCTION withdrawal_needs_approval();

-- Who said that an order to a bank or provider was not paid. A bank's file and an order of unknown outcome are
-- given up by persons under an approval, or by the provider; nothing makes such an order a new one.
ALTER TABLE payouts ADD COLUMN rejected_by text CHECK (rejected_by IN ('PROVIDER', 'OPERATOR', 'UNSENT'));
CREATE FUNCTION payout_end_needs_approval() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  a approvals;
BEGIN
  IF is_owner() THEN
    RETURN NEW;
  END IF;
  IF NEW.state IN ('READY', 'SENDING') AND OLD.state NOT IN ('READY', 'SENDING') THEN
    RAISE EXCEPTION 'the order of withdrawal % has left', NEW.withdrawal_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'money_needs_approval';
  END IF;
  IF NEW.state = 'REJECTED' AND NEW.rejected_by IS NOT DISTINCT FROM 'OPERATOR' OR OLD.state = 'FILE' AND NEW.state = 'REJECTED' THEN
    SELECT * INTO a FROM approvals WHERE kind = 'payout_failed' AND subject = NEW.withdrawal_id::text AND state = 'APPROVED' FOR UPDATE;
    IF a.id IS NULL OR NOT approval_is_current(a) THEN
      RAISE EXCEPTION 'no approval of just this: payout_failed %', NEW.withdrawal_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'money_needs_approval';
    END IF;
    UPDATE approvals SET state = 'APPLIED' WHERE id = a.id;
  ELSIF NEW.state = 'REJECTED' AND (NEW.rejected_by IS NULL
        OR NEW.rejected_by = 'UNSENT' AND OLD.state NOT IN ('READY', 'SENDING')) THEN
    RAISE EXCEPTION 'who said that withdrawal % was not paid', NEW.withdrawal_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'money_needs_approval';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payouts_end_approved BEFORE UPDATE OF state ON payouts
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state) EXECUTE FUNCTION payout_end_needs_approval();
