-- Which row names a file: by the 32 digits of its name, which a bundle's pages share.
CREATE INDEX media_file ON media (substr(path, 4, 32));

-- When its owner last uploaded it. A document of no round goes thirty days later; those that are
-- here already begin theirs now.
ALTER TABLE kyc_documents ADD COLUMN offered_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX kyc_documents_offered ON kyc_documents (offered_at);
