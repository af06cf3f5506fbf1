-- Papers are kept as long as a law asks for and no longer (kyc.retention_days), unless somebody holds them.
ALTER TABLE accounts ADD COLUMN legal_hold_at timestamptz;

-- Since when nothing rests on a round any more: from then on its papers wait to be erased.
ALTER TABLE kyc_applications
  ADD COLUMN ended_at timestamptz GENERATED ALWAYS AS (CASE
    WHEN status = 'REJECTED' THEN decided_at
    WHEN status IN ('EXPIRED', 'SUPERSEDED') THEN expires_at END) STORED,
  ADD COLUMN erased_at timestamptz,
  ALTER COLUMN legal_name DROP NOT NULL,
  ALTER COLUMN document_number_sealed DROP NOT NULL,
  ALTER COLUMN document_number_tail DROP NOT NULL,
  ADD CONSTRAINT kyc_applications_erased CHECK (
    CASE WHEN erased_at IS NULL THEN num_nulls(legal_name, document_number_sealed, document_number_tail) = 0
    ELSE num_nonnulls(legal_name, document_number_sealed, document_number_tail, document_expires_on) = 0 END);
CREATE INDEX kyc_applications_ended ON kyc_applications (ended_at) WHERE erased_at IS NULL;

-- Of an erased paper the row stays, with its hash; no row names its file any more.
ALTER TABLE kyc_documents
  ADD COLUMN erased_at timestamptz,
  ALTER COLUMN path DROP NOT NULL,
  ADD CONSTRAINT kyc_documents_erased CHECK ((erased_at IS NULL) = (path IS NOT NULL)),
  DROP CONSTRAINT kyc_documents_account_id_sha256_key;
CREATE UNIQUE INDEX kyc_documents_account_sha256 ON kyc_documents (account_id, sha256) WHERE erased_at IS NULL;
