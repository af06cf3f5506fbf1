-- Sizes that open zones of a type have: an ad of another size waits for one, and its owner is told.
CREATE INDEX zones_sizes ON zones (type, width, height) WHERE status = 'ACTIVE' AND audit_status = 'APPROVED';
