-- What waits and what was given up is counted on every look at the desk; each is few rows of a big table.
CREATE INDEX outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL;
CREATE INDEX mails_waiting ON mails (created_at) WHERE ended_at IS NULL;
CREATE INDEX mails_refused ON mails (ended_at) WHERE status = 'REFUSED';
CREATE INDEX postbacks_dead ON postbacks (id) WHERE status = 'DEAD';
CREATE INDEX rewards_failed ON rewards (id) WHERE callback_status = 'FAILED';
