import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { HealthProblem } from '../../../../../../domain/platform-health.ts';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { operator } from '../../../../texts/operator.ts';
import { platform } from '../../../../texts/platform.ts';
import { RUNBOOK_OF } from './runbooks.ts';

/** A link's own blue is too weak there. */
const ON_RED = { size: 'sm', c: 'inherit', underline: 'always' } as const;

/** The page of the runbooks, which opens beside: somebody reads it while they look at this one. */
export function WhatToDo({ of }: { of: HealthProblem }) {
  const t = useTexts(platform);
  const marks = useMarks();
  const { home } = useTexts(operator);
  return (
    <>
      {of === 'TASKS_OVERDUE' && (
        <>
          <Anchor {...ON_RED} component={Link} to="/operator">
            {home}
          </Anchor>
          {' · '}
        </>
      )}
      <Anchor
        {...ON_RED}
        href={`/docs/runbooks/${RUNBOOK_OF[of]}`}
        target="_blank"
        rel="noreferrer noopener"
        aria-label={`${t.whatToDo}${marks.colon}${t.problems[of]}`}
      >
        {t.whatToDo} ↗
      </Anchor>
    </>
  );
}
