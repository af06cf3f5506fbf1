-- A receipt that an operator wrote by mistake is taken back by two persons (interface 4.6): its money leaves the
-- books by the way that it was written in, and what was credited of it is held while the second person is asked.
ALTER TABLE deposit_receipts DROP CONSTRAINT deposit_receipts_state_check,
  ADD CONSTRAINT deposit_receipts_state_check
    CHECK (state IN ('SUSPENSE', 'CREDITED', 'REFUNDING', 'REFUNDED', 'TAKING_BACK', 'TAKEN_BACK'));
-- The payment behind it is still one: what was written on the wrong order is written on the right one.
ALTER TABLE deposit_receipts DROP CONSTRAINT deposit_receipts_provider_provider_reference_key;
DROP INDEX deposit_receipts_reference;
CREATE UNIQUE INDEX deposit_receipts_reference
  ON deposit_receipts (provider, bank_reference_key(provider_reference)) WHERE state <> 'TAKEN_BACK';
-- One that a person was to send back, though nothing had come, is sent by nobody.
ALTER TABLE deposit_refunds DROP CONSTRAINT whole_or_a_part,
  ADD CONSTRAINT whole_or_a_part CHECK (CASE WHEN balance_refund_id IS NULL
    THEN id = receipt_id AND state <> 'ASKED' ELSE id <> receipt_id AND NOT closes_order END);

-- Of the receipt as it is credited by, and of whether it was: what has been credited since was not asked about.
CREATE FUNCTION receipt_take_back_content(subject text, ask jsonb)
  RETURNS TABLE (content jsonb, account_id bigint, amount_nanos bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.content || jsonb_build_object('credited', EXISTS (SELECT FROM ledger_batches b
    WHERE b.idempotency_key = 'receipt:' || receipt_take_back_content.subject || ':credited')), c.account_id, c.amount_nanos
  FROM receipt_content(subject, ask) c
$$;
-- Of a family of its own, and without a limit: nobody does it alone.
INSERT INTO approval_kinds (kind, family, limit_key, content)
VALUES ('receipt_take_back', 'receipt_take_back', NULL, 'receipt_take_back_content');

-- One transfer a batch, under the one key of its step, of just the receipt's sum and account.
CREATE FUNCTION receipt_take_back_moves(ref jsonb) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT COALESCE(bool_and(t.amount_nanos = r.amount_nanos AND CASE t.type
      WHEN 'RECEIPT_HOLD' THEN l.idempotency_key = 'take_back:' || a.id || ':hold' AND a.state = 'PROPOSED'
        AND r.state = 'TAKING_BACK' AND d.owner_id = a.account_id
      WHEN 'RECEIPT_RELEASE' THEN l.idempotency_key = 'take_back:' || a.id || ':release' AND a.state IN ('REFUSED', 'VOID')
        AND r.state = 'CREDITED' AND d.owner_id = a.account_id AND h.id IS NOT NULL
      WHEN 'RECEIPT_TAKEN_BACK' THEN l.idempotency_key = 'take_back:' || a.id || ':done' AND r.state = 'TAKEN_BACK'
        AND CASE WHEN h.id IS NULL THEN d.code = 'suspense:' || lower(r.provider) ELSE d.owner_id = a.account_id END
        AND c.code = 'w:' || lower(r.provider)
    END) AND count(*) = 1, false)
  FROM ledger_batches l JOIN ledger_transfers t ON t.batch_id = l.id
  JOIN ledger_accounts d ON d.id = t.debit_id JOIN ledger_accounts c ON c.id = t.credit_id
  JOIN approvals a ON a.kind = 'receipt_take_back' AND a.id = (receipt_take_back_moves.ref ->> 'approval_id')::bigint
  JOIN deposit_receipts r ON r.id::text = a.subject AND r.id = (receipt_take_back_moves.ref ->> 'receipt_id')::bigint
  LEFT JOIN ledger_batches h ON h.idempotency_key = 'take_back:' || a.id || ':hold'
  WHERE l.id = (receipt_take_back_moves.ref ->> 'batch_id')::bigint
$$;
INSERT INTO ledger_moves (type, debit_kinds, credit_kind, same_owner, approval_kind, subject_field, amount_field, decided_by) VALUES
  ('RECEIPT_HOLD', '{advertiser_available}', 'advertiser_refund_hold', true, NULL, NULL, NULL, 'receipt_take_back_moves'),
  ('RECEIPT_RELEASE', '{advertiser_refund_hold}', 'advertiser_available', true, NULL, NULL, NULL, 'receipt_take_back_moves'),
  ('RECEIPT_TAKEN_BACK', '{advertiser_refund_hold,suspense}', 'world', false,
   'receipt_take_back', 'receipt_id', 'amount_nanos', 'receipt_take_back_moves');

-- What takes a deposit back that has a receipt of ours is written beside it.
DROP INDEX ledger_batches_papers;
CREATE INDEX ledger_batches_papers ON ledger_batches (id)
  WHERE kind IN ('deposit_credited', 'withdrawal_paid', 'withdrawal_returned', 'balance_refund_sent', 'receipt_taken_back');
