import { Anchor } from '@mantine/core';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { platform } from '../../../../texts/platform.ts';
import type { RunbookPage } from '../-platform/runbooks.ts';

/** A page of the runbooks, which opens beside: somebody reads it while they look at this one. */
export function Runbook({ page, about }: { page: RunbookPage; about: string }) {
  const t = useTexts(platform);
  const { colon } = useMarks();
  // A link's own blue is too weak on a coloured ground.
  return (
    <Anchor
      size="sm"
      c="inherit"
      underline="always"
      href={`/docs/runbooks/${page}`}
      target="_blank"
      rel="noreferrer noopener"
      aria-label={`${t.whatToDo}${colon}${about}`}
    >
      {t.whatToDo} ↗
    </Anchor>
  );
}
