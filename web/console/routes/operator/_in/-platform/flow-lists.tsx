import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWrite } from '../../../../api.ts';
import { maySeeSealed } from '../../../../may/operator.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { profile } from '../../../../queries/operator/account.ts';
import { codecPass, type PlatformHealth } from '../../../../queries/operator/platform.ts';
import { operator } from '../../../../texts/operator.ts';
import { flowList } from '../../../../texts/flow-list.ts';

/** The lists that are asked for daily, on Temporal's own pages, and the right to read there what is sealed. */
export function FlowLists({ health: { temporal } }: { health: PlatformHealth }) {
  const t = useTexts(flowList);
  const { roles } = useTexts(operator);
  const { data } = useQuery(profile);
  const { mutateAsync } = useWrite(codecPass);
  if (temporal.lists.length === 0) return null;
  const needed = data === undefined ? null : maySeeSealed(data.role);
  return (
    <Stack gap="xs">
      <Title order={2}>{t.flowLists}</Title>
      <Group gap="md">
        {temporal.lists.map(({ name, url }) => (
          <Anchor key={name} size="sm" href={url} target="_blank" rel="noreferrer noopener">
            {t.lists[name]} ↗
          </Anchor>
        ))}
      </Group>
      <Group gap="sm">
        <ActionButton
          variant="light"
          size="sm"
          action={{
            label: t.unseal,
            refusal: needed === null ? null : t.unsealFor(needed.map((role) => roles[role])),
            done: t.unsealed,
            run: async () => await mutateAsync({}),
          }}
        />
        <Text size="sm" c="dimmed">
          {t.unsealHow}
        </Text>
      </Group>
    </Stack>
  );
}
