-- A bank's reference is one however it is written: in capital letters or small ones, with spaces or
-- without, in full-width forms, with characters that nobody sees. What it makes unique goes by this key.
CREATE FUNCTION bank_reference_key(written text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT upper(regexp_replace(normalize(written, NFKC),
    '[\s\x01-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]',
    '', 'g'))
$$;

-- What was written in two ways before was two payments to us, and stays so: the later says which it is.
UPDATE deposit_receipts r SET provider_reference = r.provider_reference || ' (receipt ' || r.id || ')'
WHERE EXISTS (SELECT 1 FROM deposit_receipts e WHERE e.provider = r.provider AND e.id < r.id
  AND bank_reference_key(e.provider_reference) = bank_reference_key(r.provider_reference));
UPDATE bank_statement_lines l SET reference = l.reference || ' (line ' || l.id || ')'
WHERE EXISTS (SELECT 1 FROM bank_statement_lines e WHERE bank_reference_key(e.account) = bank_reference_key(l.account)
  AND e.id < l.id AND bank_reference_key(e.reference) = bank_reference_key(l.reference));

CREATE UNIQUE INDEX deposit_receipts_reference ON deposit_receipts (provider, bank_reference_key(provider_reference));
CREATE UNIQUE INDEX bank_statement_lines_reference
  ON bank_statement_lines (bank_reference_key(account), bank_reference_key(reference));

-- The same slip of two operators is two uploads and one proof: whose receipt names it, is asked by its bytes.
ALTER TABLE receipt_evidence DROP CONSTRAINT receipt_evidence_sha256_key;
CREATE UNIQUE INDEX receipt_evidence_upload ON receipt_evidence (sha256, operator_id);
