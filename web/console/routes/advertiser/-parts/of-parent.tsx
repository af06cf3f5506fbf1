import { Button, Group, Text } from '@mantine/core';
import { useTexts } from '../../../parts/texts.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { NamedLink } from './named-link.tsx';

const PARENTS = {
  campaign_id: 'campaign',
  adgroup_id: 'adgroup',
  creative_id: 'creative',
  ad_id: 'ad',
} as const;
type Narrowing = { [Name in keyof typeof PARENTS]?: number | undefined };

const NAMES = Object.keys(PARENTS) as (keyof typeof PARENTS)[];

/** `?campaign_id=…` for the page on which one more is made; empty where nothing is narrowed. */
export function belowOf(search: Narrowing): string {
  const given = NAMES.filter((name) => search[name] !== undefined);
  return given.length === 0 ? '' : `?${given.map((name) => `${name}=${search[name]}`).join('&')}`;
}

/** Whose rows alone a list shows, where a link led to it, and the way to all of them. */
export function OfParent(props: { search: Narrowing; onChange: (change: Narrowing) => void }) {
  const { search, onChange } = props;
  const t = useTexts(inventory);
  return NAMES.map((name) => {
    const { [name]: id } = search;
    if (id === undefined) return null;
    return (
      <Group key={name} gap="xs">
        <Text size="sm" component="span">
          {t.only[PARENTS[name]]} <NamedLink of={PARENTS[name]} id={id} />
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => onChange({ [name]: undefined })}>
          {t.showAll}
        </Button>
      </Group>
    );
  });
}
