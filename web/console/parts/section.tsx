import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A part of a page under a heading of its own, with what can be done beside it. */
export function Section({
  title,
  lead,
  beside,
  children,
}: {
  title: string;
  lead?: ReactNode;
  beside?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Stack gap="sm" component="section" aria-labelledby={id} mt="sm">
      <Group justify="space-between" gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {beside}
      </Group>
      {lead !== undefined && (
        <Text size="sm" c="dimmed" component="div">
          {lead}
        </Text>
      )}
      {children}
    </Stack>
  );
}
