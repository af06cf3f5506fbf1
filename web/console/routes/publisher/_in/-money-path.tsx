import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './money-path.module.css';

export interface Stage {
  key: string;
  name: string;
  help: string;
  amount: ReactNode;
}

/** From the first estimate to money that has arrived, in the order in which it moves. */
export function MoneyPath({ label, stages }: { label: string; stages: readonly Stage[] }) {
  return (
    <ol className={classes['path']} aria-label={label}>
      {stages.map(({ key, name, help, amount }) => (
        <li key={key} className={classes['stage']}>
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Text size="xl" fw={600}>
            {amount}
          </Text>
          <Text size="xs" c="dimmed">
            {help}
          </Text>
        </li>
      ))}
    </ol>
  );
}
