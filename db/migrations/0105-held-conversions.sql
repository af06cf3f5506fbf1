-- A conversion is stored as it is reported and decided when its click was judged (interface 4.14). One
-- that nobody signed, of a campaign that bills conversions, is then PENDING: its advertiser may approve
-- or reject it, and what nobody doubts is billed at `due_at`. Null: it waits for a person.
ALTER TABLE conversions
  DROP CONSTRAINT conversions_status_check,
  ADD CONSTRAINT conversions_status_check CHECK (status IN
    ('RECEIVED', 'PENDING', 'ACCEPTED', 'UNATTRIBUTED', 'EXPIRED', 'REJECTED', 'BILLED', 'UNBILLED')),
  ADD COLUMN is_signed boolean NOT NULL DEFAULT false,
  -- What its report showed of who sent it: traits of the browser and the network of its address.
  ADD COLUMN reporter jsonb,
  ADD COLUMN findings jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN publisher_id bigint,
  -- What it costs when it is billed, as the click's auction won it.
  ADD COLUMN price_nanos bigint NOT NULL DEFAULT 0 CHECK (price_nanos >= 0),
  ADD COLUMN due_at timestamptz,
  ADD COLUMN decided_at timestamptz,
  -- Why its advertiser rejected it.
  ADD COLUMN note text,
  ADD CONSTRAINT conversions_due_is_pending CHECK (due_at IS NULL OR status = 'PENDING');

CREATE INDEX conversions_received ON conversions (id) WHERE status = 'RECEIVED';
CREATE INDEX conversions_due ON conversions (due_at) WHERE status = 'PENDING';
CREATE INDEX conversions_of_advertiser ON conversions (advertiser_id, id);
CREATE INDEX conversions_unearned ON conversions (publisher_id) INCLUDE (price_nanos) WHERE status = 'PENDING';
CREATE INDEX conversions_of_publisher ON conversions (publisher_id, created_at) WHERE publisher_id IS NOT NULL AND NOT is_signed;
CREATE INDEX conversions_of_click ON conversions (click_id);

-- Days in which the advertiser may reject; null as the platform's setting says.
ALTER TABLE trackers ADD COLUMN validation_days integer CHECK (validation_days BETWEEN 0 AND 90);
