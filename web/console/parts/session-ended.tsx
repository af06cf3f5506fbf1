import { Alert } from '@mantine/core';
import type { Ending } from '../session.ts';
import { sessionEnded } from '../texts/session-ended.ts';
import { useTexts } from './texts.ts';

/** Above a login that somebody is led to. */
export function SessionEnded({ why }: { why: Ending }) {
  return (
    <Alert color="yellow" role="alert">
      {useTexts(sessionEnded)[why]}
    </Alert>
  );
}
