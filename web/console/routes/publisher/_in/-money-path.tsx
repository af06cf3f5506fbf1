import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RowLink } from '../../../parts/row-link.tsx';
import classes from './money-path.module.css';

export interface Stage {
  key: string;
  name: string;
  help: string;
  amount: ReactNode;
  /** Where what it is made of stands. */
  to?: string | undefined;
}

/** From the first estimate to money that has arrived, in the order in which it moves. */
export function MoneyPath({ label, stages }: { label: string; stages: readonly Stage[] }) {
  return (
    <ol className={classes['path']} aria-label={label}>
      {stages.map(({ key, name, help, amount, to }) => (
        <li key={key} className={classes['stage']}>
          <Text size="sm" c="dimmed">
            {to === undefined ? name : <RowLink to={to}>{name}</RowLink>}
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
