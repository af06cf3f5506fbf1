import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';

/** Over a button that cannot be pressed: what is in the way. */
export const WhyNot = (props: { label: string; target: RefObject<HTMLElement | null> }) => (
  <Tooltip {...props} multiline maw={320} />
);
