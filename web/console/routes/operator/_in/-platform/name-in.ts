import type { EventTrace } from '../../../../queries/operator/platform.ts';

export type TracedName = EventTrace['names'][number];

/** What it is called; undefined where it is gone. */
export const nameIn = (
  { names }: EventTrace,
  type: TracedName['type'],
  id: number | null,
): string | undefined => names.find((name) => name.type === type && name.id === id)?.name;
