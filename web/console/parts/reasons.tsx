import { Alert, Group, List } from '@mantine/core';
import type { ReactNode } from 'react';

/** Why something was refused or does not serve, each reason with its own next step. */
export function Reasons({
  title,
  reasons,
  tone = 'yellow',
  mend,
}: {
  title: string;
  reasons: readonly { key: string; text: string; fix?: ReactNode }[];
  tone?: 'yellow' | 'red' | 'blue';
  /** What mends all of them. */
  mend?: ReactNode;
}) {
  if (reasons.length === 0) return null;
  return (
    <Alert color={tone} variant="light" title={title}>
      <List spacing={6} size="sm" listStyleType="none" withPadding={false}>
        {reasons.map(({ key, text, fix }) => (
          <List.Item key={key}>
            {text} {fix}
          </List.Item>
        ))}
      </List>
      {mend !== undefined && <Group mt="xs">{mend}</Group>}
    </Alert>
  );
}
