-- What a conversion is called outside (interface 4.14): a whole number of fifteen digits, so that JSON and
-- spreadsheets keep it, and random, so that nobody reads how many others there are, or when they came.
ALTER TABLE conversions ADD COLUMN public_id bigint NOT NULL
  DEFAULT (('x' || right(gen_random_uuid()::text, 12))::bit(48)::bigint | (1::bigint << 48));
CREATE UNIQUE INDEX conversions_public_id ON conversions (public_id);
