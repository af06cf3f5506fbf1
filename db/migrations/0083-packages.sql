-- A package belongs to one site, whatever the types: until now an app and a mini-program could both claim
-- one. Where two do, this stops and names it; archive the one that is not its owner's, and start again.
DROP INDEX sites_package;
CREATE UNIQUE INDEX sites_package ON sites (app_package) WHERE app_package IS NOT NULL AND status <> 'ARCHIVED';
