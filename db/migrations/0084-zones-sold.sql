-- What zones sell, for campaigns that none of them can take: the few kinds there are, by hops of the index.
CREATE INDEX zones_sold ON zones (type, pricing_types) WHERE status = 'ACTIVE' AND audit_status = 'APPROVED';
