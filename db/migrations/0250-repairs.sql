-- The tables' owner is held by approvals and floors like everybody, until he says that he repairs: with the owner's
-- address alone, in a shell or a report that has it, no money moves. The migrator says so, and tests.
CREATE OR REPLACE FUNCTION is_owner() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT current_setting('adplatform.repairs', true) IS NOT DISTINCT FROM 'on'
    AND pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = 'public.ledger_transfers'::regclass), 'MEMBER')
$$;
