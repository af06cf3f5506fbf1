-- Money that goes back to whoever paid it. The decision only begins it: the receipt is REFUNDING, and stays in
-- suspense, until its provider has said that it was sent back, or a person has said how it was. One row per
-- receipt, before the first try; receipts that were refunded by builds before have none.
CREATE TABLE deposit_refunds (
  -- Of the receipt.
  id bigint PRIMARY KEY REFERENCES deposit_receipts,
  -- It was the answer to the order's own question, and ends the order.
  closes_order boolean NOT NULL,
  -- A try that was refused for good is followed by one with a key of its own, and never by the same.
  attempt int NOT NULL DEFAULT 1 CHECK (attempt > 0),
  -- What its provider was paid, in the payer's currency; set before the first try.
  pay_nanos bigint CHECK (pay_nanos > 0),
  pay_currency text,
  state text NOT NULL DEFAULT 'TO_SEND' CHECK (state IN ('TO_SEND', 'SENDING', 'BY_HAND', 'SENT')),
  -- The provider's last word.
  answer text,
  asked_at timestamptz,
  -- Of whoever sent it by hand.
  reference text,
  sent_by bigint REFERENCES operators,
  sent_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tried_of_a_known_sum CHECK (state <> 'SENDING' OR (pay_nanos IS NOT NULL AND pay_currency IS NOT NULL)),
  CONSTRAINT sent_at_a_time CHECK ((state = 'SENT') = (sent_at IS NOT NULL)),
  CONSTRAINT by_hand_with_reference CHECK ((sent_by IS NULL) = (reference IS NULL))
);
CREATE INDEX deposit_refunds_open ON deposit_refunds (created_at) WHERE state <> 'SENT';

ALTER TABLE deposit_receipts DROP CONSTRAINT deposit_receipts_state_check,
  ADD CONSTRAINT deposit_receipts_state_check CHECK (state IN ('SUSPENSE', 'CREDITED', 'REFUNDING', 'REFUNDED'));

-- One kind of task more: how money that its provider does not send back gets to its payer.
DO $$
DECLARE
  kinds text;
BEGIN
  SELECT pg_get_constraintdef(oid) INTO kinds FROM pg_constraint WHERE conname = 'tasks_kind_check';
  ALTER TABLE tasks DROP CONSTRAINT tasks_kind_check;
  EXECUTE 'ALTER TABLE tasks ADD CONSTRAINT tasks_kind_check ' || replace(kinds, ']', ', ''deposit_refund''::text]');
END $$;
