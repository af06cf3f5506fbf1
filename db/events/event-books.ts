/** What the inbox, the cursors and the judged events must agree on. Shape as in queries/books.ts. */
export const EVENT_LOG_INVARIANTS = [
  {
    name: 'inbox_behind_the_cursor_is_settled',
    detail: 'Events behind a cursor that were never judged.',
    sql: `SELECT count(*)::text AS figure FROM event_inbox i JOIN settlement_cursors c USING (shard)
          WHERE (i.xid, i.seq) <= (c.xid, c.seq)
            AND NOT EXISTS (SELECT 1 FROM events e WHERE e.day = i.day AND e.id = i.id)`,
  },
  {
    name: 'nothing_before_the_cursor_is_judged',
    detail:
      'Events judged under a cursor that still stand before it, or of recent days that the inbox never had.',
    // What was judged in another cluster keeps its place there (event-cluster.ts).
    sql: `SELECT count(*)::text AS figure FROM events e
          LEFT JOIN event_inbox i ON i.day = e.day AND i.id = e.id
          LEFT JOIN settlement_cursors c ON c.shard = i.shard
          WHERE (i.id IS NOT NULL AND (c.shard IS NULL
                 OR ((i.xid, i.seq) > (c.xid, c.seq) AND e.judged_at >= c.adopted_at)))
             OR (i.id IS NULL AND e.day >= (now() AT TIME ZONE 'UTC')::date - 2)`,
  },
];
