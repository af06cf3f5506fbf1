-- Shares and taxes (0230) are approved as everything else that persons let move (0225): a proposal asks for an
-- approval by itself, and what is decided about that approval is done to the term, here and nowhere else.
CREATE FUNCTION money_term_content(subject text, ask jsonb)
  RETURNS TABLE (content jsonb, account_id bigint, amount_nanos bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object('term', t.kind, 'publisher_id', t.publisher_id, 'country', t.country,
      'entity_type', t.entity_type, 'percent', trim_scale(t.ppm / 10000.0)::text, 'basis', t.basis,
      'from', to_char(t.effective_from AT TIME ZONE 'UTC', 'YYYY-MM-DD'), 'note', NULLIF(t.note, ''),
      'recorded_by', t.maker_id, 'ask', ask),
    t.publisher_id, 0::bigint
  FROM money_terms t WHERE t.id = subject::bigint AND t.status = 'PENDING'
$$;
INSERT INTO approval_kinds (kind, family, roles, content)
VALUES ('money_term', 'money_term', '{FINANCE,ADMIN}', 'money_term_content');

CREATE FUNCTION money_term_asks() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO approvals (kind, subject, maker_id) VALUES ('money_term', NEW.id::text, NEW.maker_id);
  RETURN NULL;
END $$;
CREATE TRIGGER money_terms_ask AFTER INSERT ON money_terms
  FOR EACH ROW WHEN (NEW.status = 'PENDING') EXECUTE FUNCTION money_term_asks();
INSERT INTO approvals (kind, subject, maker_id)
SELECT 'money_term', id::text, maker_id FROM money_terms WHERE status = 'PENDING' ORDER BY id;

CREATE FUNCTION money_term_decided() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE money_terms SET status = CASE NEW.state WHEN 'APPROVED' THEN 'APPROVED' ELSE 'REJECTED' END,
    -- Withdrawn by whoever asked.
    checker_id = COALESCE(NEW.checker_id, NEW.maker_id), decided_at = NEW.decided_at
  WHERE id = NEW.subject::bigint AND status = 'PENDING';
  IF NEW.state = 'APPROVED' THEN
    UPDATE approvals SET state = 'APPLIED' WHERE id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER approvals_of_terms AFTER UPDATE OF state ON approvals
  FOR EACH ROW WHEN (NEW.kind = 'money_term' AND NEW.state IN ('APPROVED', 'REFUSED', 'VOID'))
  EXECUTE FUNCTION money_term_decided();

-- A term begins as a proposal and is never rewritten by a client; its approval fits it between its neighbours.
CREATE OR REPLACE FUNCTION money_terms_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  following timestamptz;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'PENDING' OR NEW.maker_id IS NULL OR num_nonnulls(NEW.checker_id, NEW.effective_until) > 0 THEN
      RAISE EXCEPTION 'a term begins as a proposal of somebody' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  ELSIF pg_trigger_depth() = 1 THEN
    RAISE EXCEPTION 'a term is decided by its approval and stays as it was proposed' USING ERRCODE = 'integrity_constraint_violation';
  ELSIF pg_trigger_depth() > 2 OR NEW.status = 'REJECTED' THEN
    -- Its neighbours, as the approval of another one moves them; or nothing changes.
    RETURN NEW;
  END IF;
  -- An hour, so that no event of that day is settled before this is committed, whatever its server's clock says.
  IF NEW.effective_from < clock_timestamp() + interval '1 hour'
     OR (NEW.effective_from AT TIME ZONE 'UTC')::time IS DISTINCT FROM '00:00' THEN
    RAISE EXCEPTION 'a term begins with a day that is still to come'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'money_terms_to_come', TABLE = 'money_terms';
  END IF;
  IF NEW.status = 'APPROVED' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('money-terms:' || OLD.scope, 0));
    UPDATE money_terms SET status = 'VOID'
    WHERE scope = OLD.scope AND status = 'APPROVED' AND effective_from = NEW.effective_from;
    UPDATE money_terms SET effective_until = NEW.effective_from
    WHERE scope = OLD.scope AND status = 'APPROVED' AND effective_from < NEW.effective_from
      AND (effective_until IS NULL OR effective_until > NEW.effective_from);
    SELECT min(effective_from) INTO following FROM money_terms
    WHERE scope = OLD.scope AND status = 'APPROVED' AND effective_from > NEW.effective_from;
    NEW.effective_until := following;
  END IF;
  RETURN NEW;
END $$;
