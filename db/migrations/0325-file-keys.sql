-- A private file has a data key of its own, which lies sealed in the row that names it: a new key in DATA_KEYS seals
-- these anew and leaves the files alone, and without its row no copy of a file opens. NULL: a file of a build before,
-- sealed by DATA_KEYS itself, until it is sealed anew ("admin reseal").
ALTER TABLE kyc_documents ADD COLUMN sealed_key text;
ALTER TABLE receipt_evidence ADD COLUMN sealed_key text;
