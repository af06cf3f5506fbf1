-- What a movement at the bank is, if nothing of the platform's, is approved like money: said of a payout that
-- nobody ordered, it would be the end of every question about it. Up to the operators' limit one person says it.
CREATE FUNCTION bank_line_content(subject text, ask jsonb)
  RETURNS TABLE (content jsonb, account_id bigint, amount_nanos bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object('statement_id', l.statement_id, 'line', l.line, 'bank_account', l.account,
      'direction', l.direction, 'amount_nanos', l.amount_nanos::text, 'currency', l.currency, 'booked_on', l.booked_on,
      'payer', l.payer, 'remittance', l.remittance, 'reference', l.reference, 'payout_reference', l.payout_reference,
      'ask', ask),
    NULL::bigint, l.amount_nanos
  FROM bank_statement_lines l
  WHERE l.id = subject::bigint AND l.receipt_id IS NULL AND l.explained_at IS NULL
$$;
INSERT INTO approval_kinds (kind, family, limit_key, content)
VALUES ('bank_explanation', 'bank', 'payout.second_approval_above', 'bank_line_content');

CREATE FUNCTION bank_line_explained() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF is_owner() THEN
    RETURN NEW;
  END IF;
  IF OLD.explained_at IS NOT NULL THEN
    RAISE EXCEPTION 'what a movement is was said, and stays' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  UPDATE approvals a SET state = 'APPLIED'
  WHERE kind = 'bank_explanation' AND subject = NEW.id::text AND state = 'APPROVED'
    AND ask ->> 'note' = NEW.explanation AND maker_id = NEW.explained_by AND approval_is_current(a);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no approval of just this: movement % of a bank', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'explanation_needs_approval';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bank_statement_lines_explained BEFORE UPDATE ON bank_statement_lines
  FOR EACH ROW WHEN ((NEW.explanation, NEW.explained_by, NEW.explained_at)
    IS DISTINCT FROM (OLD.explanation, OLD.explained_by, OLD.explained_at))
  EXECUTE FUNCTION bank_line_explained();
