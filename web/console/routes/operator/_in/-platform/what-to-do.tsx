import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { HealthProblem } from '../../../../../../domain/platform-health.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { operator } from '../../../../texts/operator.ts';
import { platform } from '../../../../texts/platform.ts';
import { Runbook } from '../-shown/runbook.tsx';
import { RUNBOOK_OF } from './runbooks.ts';

/** A link's own blue is too weak there. */
const ON_RED = { size: 'sm', c: 'inherit', underline: 'always' } as const;

/** The page of the runbooks, and where there is one the page of the console. */
export function WhatToDo({ of }: { of: HealthProblem }) {
  const t = useTexts(platform);
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
      <Runbook page={RUNBOOK_OF[of]} about={t.problems[of]} />
    </>
  );
}
