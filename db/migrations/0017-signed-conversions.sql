-- Conversions of such a tracker count only with the signature of its secret (interface 4.14).
ALTER TABLE trackers ADD COLUMN require_sig boolean NOT NULL DEFAULT false;
ALTER TABLE trackers ADD CONSTRAINT trackers_sig_of_postback CHECK (type = 'POSTBACK' OR NOT require_sig);
