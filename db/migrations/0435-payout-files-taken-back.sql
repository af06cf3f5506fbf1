-- A bank file that was handed out, and that the bank did not take at all, is taken back by two persons (interface 4.12):
-- its orders wait for a file again. Should the bank have it nevertheless, they would be paid twice, so the database
-- makes what is approved of the orders as they are, and lets them go by nothing else.
CREATE TABLE payout_file_take_backs (
  -- `PF-3`, or `WD-12` of an order's own file. A name that was used stays used: the bank refuses it a second time.
  reference text PRIMARY KEY,
  approval_id bigint NOT NULL UNIQUE REFERENCES approvals,
  withdrawal_ids bigint[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE FUNCTION orders_of_payout_file(reference text) RETURNS bigint[] LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
  SELECT array_agg(p.withdrawal_id ORDER BY p.withdrawal_id) FROM payouts p
  WHERE p.file_id = (SELECT f.id FROM payout_files f WHERE f.external_ref = orders_of_payout_file.reference)
    OR p.file_id IS NULL AND p.external_ref = orders_of_payout_file.reference
$$;
-- No row while nobody has it, or once anybody has answered for one of its orders, the bank or a person.
CREATE FUNCTION payout_file_content(subject text, ask jsonb)
  RETURNS TABLE (content jsonb, account_id bigint, amount_nanos bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object('file', COALESCE(min(f.file_name), min(p.file_name)),
      'sha256', COALESCE(min(f.file_sha256), min(p.file_sha256)),
      'orders', string_agg(p.external_ref, ', ' ORDER BY w.id), 'arrival_nanos', sum(w.arrival_nanos)::text,
      'currency', min(w.currency), 'withdrawal_id', min(w.id), 'ask', ask),
    NULL::bigint, sum(w.arrival_nanos)::bigint
  FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id LEFT JOIN payout_files f ON f.id = p.file_id
  WHERE p.withdrawal_id = ANY (orders_of_payout_file(payout_file_content.subject)) AND p.file_taken_at IS NOT NULL
  HAVING count(*) > 0 AND bool_and(p.state = 'FILE' AND p.bank_status IS NULL AND w.status = 'PROCESSING')
    AND NOT bool_or(EXISTS (SELECT FROM bank_statement_lines l WHERE l.payout_reference = p.external_ref)
      OR EXISTS (SELECT FROM approvals a WHERE a.kind = 'payout_failed' AND a.subject = w.id::text
        AND a.state IN ('PROPOSED', 'APPROVED'))
      OR EXISTS (SELECT FROM tasks t JOIN task_decisions d ON d.task_id = t.id
        WHERE t.workflow_id = 'withdrawal:' || w.id AND d.status = 'PENDING'))
$$;
INSERT INTO approval_kinds (kind, family, limit_key, content)
VALUES ('payout_file_take_back', 'payout_file_take_back', NULL, 'payout_file_content');

CREATE FUNCTION payout_file_taken_back() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  NEW.withdrawal_ids := orders_of_payout_file(NEW.reference);
  UPDATE approvals a SET state = 'APPLIED'
  WHERE a.id = NEW.approval_id AND a.kind = 'payout_file_take_back' AND a.subject = NEW.reference
    AND a.state = 'APPROVED' AND approval_is_current(a);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no approval of just this: bank file %', NEW.reference
      USING ERRCODE = 'check_violation', CONSTRAINT = 'take_back_needs_approval';
  END IF;
  UPDATE payouts SET file_id = NULL, file_taken_at = NULL WHERE withdrawal_id = ANY (NEW.withdrawal_ids);
  RETURN NEW;
END $$;
CREATE TRIGGER payout_file_take_backs_approved BEFORE INSERT ON payout_file_take_backs
  FOR EACH ROW EXECUTE FUNCTION payout_file_taken_back();

-- As before, but for what is taken back; and no order goes out in a file that was.
CREATE OR REPLACE FUNCTION payout_file_stays() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.file_taken_at IS NOT NULL AND pg_trigger_depth() < 2
     AND (NEW.file_id, NEW.file_taken_at) IS DISTINCT FROM (OLD.file_id, OLD.file_taken_at) THEN
    RAISE EXCEPTION 'the file of payout % was handed out', OLD.withdrawal_id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.file_taken_at IS NOT NULL AND EXISTS (SELECT FROM payout_file_take_backs b WHERE b.reference =
       COALESCE((SELECT f.external_ref FROM payout_files f WHERE f.id = NEW.file_id), NEW.external_ref)) THEN
    RAISE EXCEPTION 'the file of payout % was taken back', OLD.withdrawal_id
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
