-- Whose landing pages lie on the same host.
CREATE INDEX approved_hosts_host ON approved_hosts (host);
