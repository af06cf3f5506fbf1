-- What a person has sent back is found at the bank by the reference that they wrote down.
CREATE INDEX deposit_refunds_reference ON deposit_refunds (bank_reference_key(reference)) WHERE reference IS NOT NULL;
