-- Whom a document is issued to (interface 5.22): as it is when the document is issued.
ALTER TABLE accounts ADD COLUMN billing_address text CHECK (length(billing_address) <= 400);
ALTER TABLE accounts ADD COLUMN tax_id text CHECK (length(tax_id) <= 64);
