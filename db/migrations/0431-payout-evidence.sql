-- What an operator shows for a decision about money, such as the bank's slip: of receipt_evidence, as a payout's
-- account is a publisher, who has no media (interface 5.2).
ALTER TABLE task_decisions ADD COLUMN evidence_id bigint REFERENCES receipt_evidence;
CREATE INDEX task_decisions_evidence ON task_decisions (task_id) WHERE evidence_id IS NOT NULL;
