-- The round of a site that is not proven waits without a flow and asks nobody: null until then.
ALTER TABLE reviews ADD COLUMN begun_at timestamptz DEFAULT now();
