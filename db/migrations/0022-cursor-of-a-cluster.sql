-- Transaction ids belong to one cluster, and so does a cursor made of them. `cluster` is the system
-- identifier that it was last moved under; NULL is not known, as after this migration, and has what
-- waits looked for once in the whole inbox (docs/decisions/0009).
ALTER TABLE settlement_cursors ADD COLUMN cluster bigint;
-- Events judged before this moment may stand anywhere in the order, those after it behind the cursor.
ALTER TABLE settlement_cursors ADD COLUMN adopted_at timestamptz NOT NULL DEFAULT '-infinity';
