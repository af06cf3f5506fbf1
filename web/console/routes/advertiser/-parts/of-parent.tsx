import { Button, Group, Text } from '@mantine/core';
import { useTexts } from '../../../parts/texts.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { common } from '../../../texts/common.ts';
import { NamedLink } from './named-link.tsx';

const PARENTS = {
  campaign_id: 'campaign',
  adgroup_id: 'adgroup',
  creative_id: 'creative',
} as const;
type Narrowing = { [Name in keyof typeof PARENTS]?: number | undefined };

/** Whose rows alone a list shows, where a link led to it, and the way to all of them. */
export function OfParent(props: { search: Narrowing; onChange: (change: Narrowing) => void }) {
  const { search, onChange } = props;
  const t = useTexts(inventory);
  const c = useTexts(common);
  const names = Object.keys(PARENTS) as (keyof typeof PARENTS)[];
  return names.map((name) => {
    const { [name]: id } = search;
    if (id === undefined) return null;
    return (
      <Group key={name} gap="xs">
        <Text size="sm" component="span">
          {t.only[PARENTS[name]]} <NamedLink of={PARENTS[name]} id={id} />
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => onChange({ [name]: undefined })}>
          {c.all}
        </Button>
      </Group>
    );
  });
}
