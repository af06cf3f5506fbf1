import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './steps.module.css';

export interface Step {
  key: string;
  title: string;
  /** How far it is, in words. */
  state: ReactNode;
  isDone: boolean;
  /** Where it can be taken now. */
  action?: ReactNode;
}

/** A path with its next step marked: everything before it is done. */
export function Steps({ label, steps }: { label: string; steps: readonly Step[] }) {
  const next = steps.find(({ isDone }) => !isDone)?.key;
  return (
    <ol className={classes['steps']} aria-label={label}>
      {steps.map(({ key, title, state, isDone, action }, index) => (
        <li
          key={key}
          className={classes['step']}
          data-state={isDone ? 'done' : key === next ? 'next' : 'later'}
          aria-current={key === next ? 'step' : undefined}
        >
          <span className={classes['mark']} aria-hidden>
            {isDone ? '✓' : index + 1}
          </span>
          <span>
            <Text fw={600} size="sm" component="span" display="block">
              {title}
            </Text>
            <Text size="xs" c="dimmed" component="span" display="block">
              {state}
            </Text>
            {Boolean(action) && (
              <Text component="span" display="block" mt={4}>
                {action}
              </Text>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
