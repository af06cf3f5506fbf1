-- What the last look at each invariant of the books found (db/queries/books.ts): 0 when it holds.
CREATE TABLE book_checks (
  name text PRIMARY KEY,
  figure text NOT NULL,
  checked_at timestamptz NOT NULL,
  took_ms integer NOT NULL
);
