-- A campaign's price and its bid are two values: without a bid of its own it bids its price. Until now
-- they were one, so whoever changes the price of an older campaign changes what it bids, as before.
ALTER TABLE campaigns ADD COLUMN price_nanos bigint CHECK (price_nanos >= 0),
  ADD COLUMN bid_follows_price boolean NOT NULL DEFAULT false;
UPDATE campaigns SET price_nanos = bid_nanos, bid_follows_price = true;
ALTER TABLE campaigns ADD CONSTRAINT campaigns_bid_follows_price
  CHECK (NOT bid_follows_price OR (price_nanos IS NOT NULL AND price_nanos = bid_nanos));
