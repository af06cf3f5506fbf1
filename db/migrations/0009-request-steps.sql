-- When the key was first used: it names the steps of the request, also when the request is run again
-- after a crash. A later use of the key, after 24 h, is another request.
ALTER TABLE idempotency_keys ADD COLUMN first_at timestamptz NOT NULL DEFAULT clock_timestamp();
-- A request that failed on our side (5xx) may be run again at once, under its first name.
ALTER TABLE idempotency_keys ADD COLUMN released boolean NOT NULL DEFAULT false;

-- What a long-poll compares.
ALTER TABLE operations ADD COLUMN version integer NOT NULL DEFAULT 1;

CREATE INDEX effects_of_requests ON effects (created_at) WHERE key LIKE 'request:%';
