-- Reports count what was held by the moment it was reported (interface 4.5), also when it was decided since.
ALTER TABLE conversions ADD COLUMN held_at timestamptz;
-- Until now only what nobody signed, of a campaign that bills conversions, was held; a price shows it.
UPDATE conversions v SET held_at = v.created_at
  WHERE v.status IN ('PENDING', 'REJECTED')
    OR (v.status IN ('ACCEPTED', 'BILLED') AND NOT v.is_signed AND v.decided_at IS NOT NULL AND v.price_nanos > 0
      AND EXISTS (SELECT 1 FROM clicks k WHERE k.click_id = v.click_id AND k.pricing_model IN ('CPA', 'CPS')));
CREATE INDEX conversions_held_of_advertiser ON conversions (advertiser_id, created_at) WHERE held_at IS NOT NULL;
CREATE INDEX conversions_held_of_publisher ON conversions (publisher_id, created_at) WHERE held_at IS NOT NULL;

-- What waits, longest first, for operators.
CREATE INDEX conversions_pending ON conversions (id) WHERE status = 'PENDING';
