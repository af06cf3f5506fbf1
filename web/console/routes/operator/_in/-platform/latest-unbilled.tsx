import { type Column, Rows } from '../../../../parts/list-page.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Section } from '../../../../parts/section.tsx';
import { type Same, useMarks, useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { NONE } from '../../../../parts/none.tsx';
import {
  type LatestUnbilled,
  latestUnbilled,
  type UnbilledQuery,
} from '../../../../queries/operator/unbilled.ts';
import { unbilled } from '../../../../texts/unbilled.ts';
import { PartyLink } from '../-party/party-link.tsx';
import { PageLink } from '../-shown/page-link.tsx';

type Words = Same<(typeof unbilled)['en']>;
type Row = LatestUnbilled & { id: number };

const COLUMNS: readonly Column<Row, Words>[] = [
  { key: 'at', title: (t) => t.at, cell: (row) => <When at={row.received_at} /> },
  { key: 'kind', title: (t) => t.kind, cell: (row, t) => wordOf(t.kinds, row.kind) },
  {
    key: 'reason',
    title: (t) => t.reason,
    cell: ({ reasons }) => <Why reasons={reasons} />,
  },
  {
    key: 'publisher',
    title: (t) => t.publisher,
    cell: (row) => <Party row={row} side="publisher" />,
  },
  {
    key: 'advertiser',
    title: (t) => t.advertiser,
    cell: (row) => <Party row={row} side="advertiser" />,
  },
  {
    key: 'trace',
    title: (t) => t.trace,
    cell: (row) => <Trace request={row.request_id} />,
  },
];

function Party({ row, side }: { row: Row; side: 'publisher' | 'advertiser' }) {
  const { [`${side}_id` as const]: id, [`${side}_name` as const]: name } = row;
  return id === null ? NONE : <PartyLink side={side} id={id} name={name} />;
}

function Why({ reasons }: Pick<Row, 'reasons'>) {
  const words = useTexts(unbilled).reasons;
  const { comma } = useMarks();
  return reasons.map((each) => wordOf(words, each)).join(comma);
}

function Trace({ request }: { request: string | null }) {
  if (request === null) return NONE;
  return (
    <PageLink to={`/operator/events?request_id=${encodeURIComponent(request)}`}>
      <code>{request.slice(0, 12)}</code>
    </PageLink>
  );
}

/** Single ones, from which the trace leads on. */
export function Latest({ search }: { search: UnbilledQuery }) {
  const t = useTexts(unbilled);
  return (
    <Section title={t.latest} lead={t.latestHelp}>
      <Loaded query={latestUnbilled(search)} height={200}>
        {({ items }) =>
          items.length === 0 ? (
            t.none
          ) : (
            <Rows
              label={t.latest}
              rows={items.map((row, id) => ({ ...row, id }))}
              columns={COLUMNS}
              texts={t}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
