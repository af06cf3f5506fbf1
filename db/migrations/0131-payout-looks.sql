-- When the provider last answered what became of the order: nobody says that it failed without asking once more.
ALTER TABLE payouts ADD COLUMN looked_at timestamptz;
