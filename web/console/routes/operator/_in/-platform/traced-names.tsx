import { Group, Text } from '@mantine/core';
import { Facts } from '../../../../parts/facts.tsx';
import { NONE } from '../../../../parts/none.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import type { EventTrace } from '../../../../queries/operator/platform.ts';
import { pageOf } from '../../../../queries/operator/search.ts';
import { foundTexts } from '../../../../texts/found.ts';
import { nameIn, type TracedName } from './name-in.ts';
import { PageLink } from '../-shown/page-link.tsx';

/** From who pays to what is shown, then from who is paid to where. */
const ORDER = [
  'advertiser',
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'publisher',
  'site',
  'zone',
] as const satisfies readonly TracedName['type'][];
type Ids = Partial<Record<`${(typeof ORDER)[number]}_id`, number | null>>;

/** Each ad of the trace: whose it is and where it was shown, as far as anything says so. */
export function TracedNames({ trace }: { trace: EventTrace }) {
  const { types } = useTexts(foundTexts);
  return adsOf(trace).map(([bid, ids]) => (
    <Facts
      key={bid}
      rows={ORDER.map((type) => {
        const id = ids[`${type}_id`];
        return [
          types[type],
          typeof id === 'number' ? (
            <Named {...{ type, id }} name={nameIn(trace, type, id)} />
          ) : (
            NONE
          ),
        ];
      })}
    />
  ));
}

function Named({
  type,
  id,
  name,
}: {
  type: TracedName['type'];
  id: number;
  name: string | undefined;
}) {
  return (
    <Group gap={6} wrap="nowrap">
      <PageLink to={pageOf(type, id)}>{name ?? `#${id}`}</PageLink>
      {name !== undefined && (
        <Text span size="xs" c="dimmed">
          #{id}
        </Text>
      )}
    </Group>
  );
}

/** By won ad, in the order in which they are first told of. */
function adsOf({ track, events, clicks }: EventTrace): [string, Ids][] {
  const ads = new Map<string, Ids>();
  for (const each of [...(track === null ? [] : [track]), ...events, ...clicks]) {
    const bid = each.bid_id ?? '';
    const ids: Ids = each;
    const known = ads.get(bid) ?? {};
    const added = ORDER.map((type) => `${type}_id` as const).map((key) => [
      key,
      known[key] ?? ids[key] ?? null,
    ]);
    ads.set(bid, Object.fromEntries(added) as Ids);
  }
  return [...ads];
}
