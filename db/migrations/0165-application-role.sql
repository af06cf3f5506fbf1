-- What the application's role may not do itself (db/application-role.ts), the owner does for it, in functions
-- with a search path of their own that check what they are asked. The chart of accounts is the database's too:
-- a code outside it, or a floor that is not the chart's, is refused whoever asks.
CREATE FUNCTION ledger_kind(code text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  SET search_path = pg_catalog AS $$
  SELECT CASE
    WHEN code ~ '^w:[a-z0-9_]+$' THEN 'world'
    WHEN code ~ '^suspense:[a-z0-9_]+$' THEN 'suspense'
    WHEN code ~ '^adv:[1-9][0-9]*:available$' THEN 'advertiser_available'
    WHEN code ~ '^pub:[1-9][0-9]*:earned:[0-9]+$' THEN 'publisher_earned'
    WHEN code ~ '^pub:[1-9][0-9]*:withdrawable$' THEN 'publisher_withdrawable'
    WHEN code ~ '^pub:[1-9][0-9]*:hold$' THEN 'publisher_hold'
    WHEN code ~ '^clearing:billing:[0-9]+$' THEN 'billing_clearing'
    WHEN code ~ '^platform:revenue:[0-9]+$' THEN 'platform_revenue'
    WHEN code = 'platform:payout_fee' THEN 'payout_fee'
    WHEN code = 'tax:payable' THEN 'tax_payable'
  END
$$;
-- May it go below zero: only what stands for the outside world.
CREATE FUNCTION ledger_floor(kind text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  SET search_path = pg_catalog AS $$ SELECT CASE WHEN kind = 'world' THEN NULL ELSE 0::bigint END $$;

ALTER TABLE ledger_accounts
  ADD COLUMN kind text GENERATED ALWAYS AS (ledger_kind(code)) STORED,
  ADD CONSTRAINT ledger_accounts_chart CHECK (
    ledger_kind(code) IS NOT NULL
    AND floor_nanos IS NOT DISTINCT FROM ledger_floor(ledger_kind(code))
    AND owner_type IS NOT DISTINCT FROM CASE split_part(code, ':', 1) WHEN 'adv' THEN 'ADVERTISER' WHEN 'pub' THEN 'PUBLISHER' END
    AND owner_id IS NOT DISTINCT FROM CASE WHEN owner_type IS NOT NULL THEN split_part(code, ':', 2)::bigint END);

-- A balance that somebody reckons with stays as it is until they commit. In id order, so that opposite batches
-- cannot deadlock.
CREATE FUNCTION ledger_lock_accounts(codes text[])
  RETURNS TABLE (id bigint, code text, owner_id bigint, balance_nanos bigint)
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.id, a.code, a.owner_id, a.balance_nanos FROM ledger_accounts a
  WHERE a.code = ANY (codes) ORDER BY a.id FOR NO KEY UPDATE
$$;
-- The same, and opens those of the chart that are missing.
CREATE FUNCTION ledger_hold_accounts(codes text[], unit text)
  RETURNS TABLE (id bigint, code text, balance_nanos bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO ledger_accounts (code, currency, owner_type, owner_id, floor_nanos)
  SELECT c, unit, o.type, CASE WHEN o.type IS NOT NULL THEN split_part(c, ':', 2)::bigint END,
         ledger_floor(ledger_kind(c))
  FROM unnest(codes) AS c
  CROSS JOIN LATERAL (SELECT CASE split_part(c, ':', 1) WHEN 'adv' THEN 'ADVERTISER' WHEN 'pub' THEN 'PUBLISHER' END AS type) AS o
  WHERE NOT EXISTS (SELECT 1 FROM ledger_accounts a WHERE a.code = c)
  ORDER BY c ON CONFLICT (code) DO NOTHING;
  RETURN QUERY SELECT l.id, l.code, l.balance_nanos FROM ledger_lock_accounts(codes) l;
END $$;

-- Balances are moved by the owner alone. A shadow table of a session must not stand for one of these.
ALTER FUNCTION ledger_apply() SECURITY DEFINER;
ALTER FUNCTION ledger_apply() SET search_path = public, pg_temp;
ALTER FUNCTION ensure_event_partitions(date, integer) SECURITY DEFINER;
ALTER FUNCTION ensure_event_partitions(date, integer) SET search_path = public, pg_temp;

-- Drops a day of the inbox whose every event was judged; else answers how many were not, and keeps it.
CREATE FUNCTION drop_inbox_day(day date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  part text := 'event_inbox_' || to_char(day, 'YYYYMMDD');
  unsettled integer;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                 WHERE i.inhparent = 'event_inbox'::regclass AND c.relname = part) THEN
    RAISE EXCEPTION 'not a day of the inbox: %', part USING ERRCODE = 'undefined_table';
  END IF;
  EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', part);
  EXECUTE format('SELECT count(*)::integer FROM %I i
    WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.day = $1 AND e.id = i.id)', part) INTO unsettled USING day;
  IF unsettled = 0 THEN
    EXECUTE format('ALTER TABLE event_inbox DETACH PARTITION %I', part);
    EXECUTE format('DROP TABLE %I', part);
  END IF;
  RETURN unsettled;
END $$;
