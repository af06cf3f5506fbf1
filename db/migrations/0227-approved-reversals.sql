-- Reversals are approved as everything else that persons let move (0225): of what their preview shows, by
-- another person than who asked. And a transfer that corrects is only made by what was approved.

CREATE FUNCTION reversal_content(subject text, ask jsonb)
  RETURNS TABLE (content jsonb, account_id bigint, amount_nanos bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object('reversal_id', r.id, 'source', r.source, 'scope', r.scope, 'reason', r.reason,
      'note', r.note, 'events', r.events, 'price_nanos', r.price_nanos::text,
      'publisher_nanos', r.publisher_nanos::text, 'items', r.content_hash, 'recorded_by', r.maker_id, 'ask', ask),
    NULL::bigint, r.price_nanos
  FROM reversals r WHERE r.id = subject::bigint AND r.content_hash IS NOT NULL
$$;
INSERT INTO approval_kinds (kind, family, content) VALUES ('reversal', 'reversal', 'reversal_content');
INSERT INTO approvals (kind, subject, maker_id)
SELECT 'reversal', id::text, maker_id FROM reversals WHERE status = 'PREVIEW' ORDER BY id;

-- It begins to take back by an approval of just this, and goes on until all of that is done.
CREATE FUNCTION reversal_needs_approval() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  a approvals;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'PREPARING' AND NOT is_owner() THEN
      RAISE EXCEPTION 'a reversal begins with its preview' USING ERRCODE = 'check_violation', CONSTRAINT = 'money_needs_approval';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.status = 'APPLYING' AND NOT is_owner() THEN
    SELECT * INTO a FROM approvals WHERE kind = 'reversal' AND subject = NEW.id::text AND state = 'APPROVED' FOR UPDATE;
    IF a.id IS NULL OR NOT approval_is_current(a) OR NEW.checker_id IS DISTINCT FROM a.checker_id
       OR (NEW.maker_id, NEW.source, NEW.scope, NEW.events, NEW.price_nanos, NEW.publisher_nanos, NEW.content_hash)
          IS DISTINCT FROM (OLD.maker_id, OLD.source, OLD.scope, OLD.events, OLD.price_nanos, OLD.publisher_nanos, OLD.content_hash) THEN
      RAISE EXCEPTION 'no approval of just this: reversal %', NEW.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'money_needs_approval';
    END IF;
    UPDATE approvals SET state = 'APPLIED' WHERE id = a.id;
  ELSIF NEW.status IN ('REJECTED', 'CANCELLED', 'FAILED') THEN
    UPDATE approvals SET state = 'VOID' WHERE kind = 'reversal' AND subject = NEW.id::text AND state IN ('PROPOSED', 'APPROVED');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER reversals_begin BEFORE INSERT ON reversals FOR EACH ROW EXECUTE FUNCTION reversal_needs_approval();
CREATE TRIGGER reversals_approved_by_another BEFORE UPDATE OF status ON reversals
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM OLD.status) EXECUTE FUNCTION reversal_needs_approval();

-- Which decision a batch must name in its `ref` that has transfers of a type: a function (ref jsonb).
ALTER TABLE ledger_moves ADD COLUMN decided_by text;
CREATE FUNCTION reversal_is_applying(ref jsonb) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM reversals r WHERE r.id = (ref ->> 'reversal_id')::bigint AND r.status = 'APPLYING')
$$;
CREATE FUNCTION appeal_is_upheld(ref jsonb) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM removal_appeals a WHERE a.id = (ref ->> 'appeal_id')::bigint
    AND a.status = 'UPHELD' AND a.restored_at IS NULL)
$$;
UPDATE ledger_moves SET decided_by = 'reversal_is_applying'
WHERE type IN ('SPEND_REVERSED', 'EARNING_REVERSED', 'FEE_REVERSED');
UPDATE ledger_moves SET decided_by = 'appeal_is_upheld'
WHERE type IN ('SPEND_RESTORED', 'EARNING_RESTORED', 'FEE_RESTORED', 'APPEAL_COST');

CREATE FUNCTION ledger_decided() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  each record;
  may boolean;
BEGIN
  FOR each IN SELECT DISTINCT m.decided_by, n.type, b.ref FROM added n JOIN ledger_moves m ON m.type = n.type
              JOIN ledger_batches b ON b.id = n.batch_id WHERE m.decided_by IS NOT NULL LOOP
    EXECUTE format('SELECT %I($1)', each.decided_by) INTO may USING each.ref;
    IF may IS NOT TRUE AND NOT is_owner() THEN
      RAISE EXCEPTION 'nobody decided on this: %', each.type USING ERRCODE = 'check_violation', CONSTRAINT = 'money_needs_approval';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_transfers_decided AFTER INSERT ON ledger_transfers
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_decided();
