import { Group, Text } from '@mantine/core';
import type { Ad } from '../../../../client/routes.ts';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';

/** The owner's, the reviewers' and what comes of both: alike words need their names beside them. */
export function ThreeStates({
  row,
}: {
  row: Pick<Ad, 'status' | 'audit_status' | 'delivery_status'>;
}) {
  const t = useTexts(inventory);
  const states = [
    [t.status, row.status],
    [t.review, row.audit_status],
    [t.delivery, row.delivery_status],
  ] as const;
  return (
    <Group gap="sm">
      {states.map(([name, state]) => (
        <Group key={name} gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <State state={state} />
        </Group>
      ))}
    </Group>
  );
}
