import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** In a sentence it has the sentence's colour, which is read on any ground, and its line tells it from the words. */
export const DoorLink = (props: { to: string; inText?: boolean; children: ReactNode }) => {
  const { to, inText = false, children } = props;
  return (
    <Anchor
      size="sm"
      {...(inText ? { c: 'inherit', underline: 'always' } : {})}
      renderRoot={(given) => <Link to={to} {...given} />}
    >
      {children}
    </Anchor>
  );
};
