-- A member may be shut out for a time (interface 5.7); the address stays theirs meanwhile.
ALTER TABLE members DROP CONSTRAINT members_status_check;
ALTER TABLE members ADD CONSTRAINT members_status_check
  CHECK (status IN ('INVITED', 'ACTIVE', 'SUSPENDED', 'REMOVED'));
DROP INDEX members_email;
CREATE UNIQUE INDEX members_email ON members (kind, lower(email)) WHERE status IN ('ACTIVE', 'SUSPENDED');

CREATE OR REPLACE FUNCTION refuse_second_login() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  taken boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('login:' || NEW.kind || ':' || lower(NEW.email), 0));
  IF TG_TABLE_NAME = 'accounts' THEN
    SELECT EXISTS (SELECT FROM members WHERE kind = NEW.kind AND lower(email) = lower(NEW.email)
                   AND status IN ('ACTIVE', 'SUSPENDED')) INTO taken;
  ELSE
    SELECT EXISTS (SELECT FROM accounts WHERE kind = NEW.kind AND lower(email) = lower(NEW.email)) INTO taken;
  END IF;
  IF taken THEN
    RAISE unique_violation USING MESSAGE = 'this e-mail address logs somebody else in',
      CONSTRAINT = TG_TABLE_NAME || '_email';
  END IF;
  RETURN NEW;
END $$;
