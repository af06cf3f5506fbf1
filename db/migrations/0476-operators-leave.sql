-- Operators who leave, come back or change their work (interface 5.19). One ADMIN puts somebody out; nobody is let in
-- again, and nobody becomes ADMIN or FINANCE, by one person's word: whoever could do that alone would have two voices
-- as soon as a second login is theirs. An ADMIN always stays, however many press at the same moment.

-- Says why they were put out, and by whom, so that the second person knows what is undone.
CREATE FUNCTION operator_access_content(subject text, ask jsonb)
  RETURNS TABLE (content jsonb, account_id bigint, amount_nanos bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object('operator_id', o.id, 'username', o.username, 'email', o.email, 'role', o.role,
      'status', o.status, 'suspended_by', s.username, 'suspended_why', s.why, 'ask', ask),
    NULL::bigint, 0::bigint
  FROM operators o LEFT JOIN LATERAL (
    SELECT b.username, l.detail ->> 'reason' AS why FROM audit_log l LEFT JOIN operators b ON b.id = l.actor_id
    WHERE l.subject_type = 'operator' AND l.subject_id = o.id AND l.action = 'operator.suspend' AND o.status = 'SUSPENDED'
    ORDER BY l.id DESC LIMIT 1) s ON true
  WHERE o.id = subject::bigint
$$;
INSERT INTO approval_kinds (kind, family, roles, content) VALUES
  ('operator_restore', 'operator', '{FINANCE,ADMIN}', 'operator_access_content'),
  ('operator_role', 'operator', '{FINANCE,ADMIN}', 'operator_access_content');

-- Whether somebody is behind an operator: made them, or made who made them, and nobody has vouched since.
CREATE FUNCTION operator_counts_as(operator bigint, other bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
  WITH RECURSIVE makers AS (
    SELECT id, created_by, vouched_by, 0 AS depth FROM operators WHERE id = operator
    UNION ALL
    SELECT o.id, o.created_by, o.vouched_by, m.depth + 1 FROM makers m JOIN operators o ON o.id = m.created_by
    WHERE m.vouched_by IS NULL AND m.depth < 100)
  SELECT EXISTS (SELECT FROM makers WHERE id = other)
$$;

-- Who counts as somebody that is suspended has no word of their own, and the other has none any more.
CREATE FUNCTION operator_has_voice(operator bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM operators o JOIN operators p ON p.id = operator_person(o.id)
    WHERE o.id = operator AND o.status = 'ACTIVE' AND p.status = 'ACTIVE')
$$;

CREATE FUNCTION approvals_voice() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.alone AND NEW.maker_id IS NOT NULL AND NOT operator_has_voice(NEW.maker_id) AND NOT is_owner() THEN
      NEW.alone := false;
      NEW.state := 'PROPOSED';
      NEW.decided_at := NULL;
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.state = 'PROPOSED' AND NEW.state IN ('APPROVED', 'APPLIED') THEN
    IF NOT operator_has_voice(NEW.checker_id) THEN
      RAISE EXCEPTION 'who counts as somebody that is suspended decides nothing'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'approval_voice';
    END IF;
    IF NEW.kind IN ('operator_restore', 'operator_role')
       AND operator_person(NEW.checker_id) = operator_person(NEW.subject::bigint) THEN
      RAISE EXCEPTION 'a second person must approve this' USING ERRCODE = 'check_violation', CONSTRAINT = 'four_eyes';
    END IF;
  END IF;
  RETURN NEW;
END $$;
-- By their names behind approvals_make and approvals_decide, whose word they look at.
CREATE TRIGGER approvals_voice BEFORE INSERT OR UPDATE ON approvals FOR EACH ROW EXECUTE FUNCTION approvals_voice();

CREATE FUNCTION operator_access_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  restored boolean := OLD.status = 'SUSPENDED' AND NEW.status = 'ACTIVE';
  needs text := CASE WHEN restored THEN 'operator_restore'
    WHEN NEW.role <> OLD.role AND NEW.role IN ('ADMIN', 'FINANCE') THEN 'operator_role' END;
BEGIN
  IF is_owner() THEN
    RETURN NEW;
  END IF;
  IF NEW.role <> OLD.role AND (NEW.status <> 'ACTIVE' OR restored) THEN
    RAISE EXCEPTION 'whoever is suspended keeps their role' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF needs IS NOT NULL THEN
    UPDATE approvals SET state = 'APPLIED' WHERE kind = needs AND subject = NEW.id::text AND state = 'APPROVED'
      AND (restored OR ask ->> 'new_role' = NEW.role);
    IF NOT FOUND THEN
      RAISE EXCEPTION 'no approval of just this: % of operator %', needs, NEW.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'operator_needs_approval';
    END IF;
  END IF;
  IF OLD.role = 'ADMIN' AND OLD.status = 'ACTIVE' AND (NEW.role <> 'ADMIN' OR NEW.status <> 'ACTIVE') THEN
    -- Of two that put each other out at once, the second sees what the first has done.
    PERFORM pg_advisory_xact_lock(hashtextextended('operators-access', 0));
    IF NOT EXISTS (SELECT FROM operators o JOIN operators p ON p.id = operator_person(o.id)
        WHERE o.id <> OLD.id AND o.role = 'ADMIN' AND o.status = 'ACTIVE' AND p.status = 'ACTIVE'
          AND (p.id <> OLD.id OR NEW.status = 'ACTIVE')) THEN
      RAISE EXCEPTION 'an ADMIN stays' USING ERRCODE = 'check_violation', CONSTRAINT = 'last_admin';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER operators_access BEFORE UPDATE OF role, status ON operators
  FOR EACH ROW EXECUTE FUNCTION operator_access_guard();
