import { Card, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export interface Figure {
  name: string;
  value: ReactNode;
  /** Below it, such as what it was before. */
  more?: ReactNode;
}

/** Figures side by side, each with its name. */
export function FigureCards({ figures }: { figures: readonly Figure[] }) {
  return (
    <SimpleGrid
      cols={{ base: 2, sm: figures.length > 5 ? 3 : figures.length, lg: figures.length }}
      spacing="sm"
    >
      {figures.map(({ name, value, more }) => (
        <Card key={name} withBorder padding="xs">
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <Text fw={600}>{value}</Text>
          {more !== undefined && (
            <Text size="xs" c="dimmed">
              {more}
            </Text>
          )}
        </Card>
      ))}
    </SimpleGrid>
  );
}
