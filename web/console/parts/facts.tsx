import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Name and value, two columns or more where there is room. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes['facts']}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value === null || value === undefined || value === '' || value === false ? '—' : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
