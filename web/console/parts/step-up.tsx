import { lazy, Suspense, useEffect, useState } from 'react';
import { api } from '../api.ts';
import { whenProofIsAsked } from '../step-up.ts';
import type { FactorQuestion } from './factor-question.ts';
import type { ProofAsked } from './step-up-dialog.tsx';

const Dialog = lazy(async () => {
  const { StepUpDialog } = await import('./step-up-dialog.tsx');
  return { default: StepUpDialog };
});

/** Asks for the second factor again, for whatever call needs it; one dialog for all pages. */
export function StepUp() {
  const [asked, setAsked] = useState<ProofAsked>();
  // The calls that need it are outside of React, and know this place by what it registers.
  useEffect(() => {
    whenProofIsAsked(async (realm) => {
      const route = `POST /api/${realm}/auth/step-up/question` as const;
      const question = (await api(route).call(route)) as FactorQuestion;
      return await new Promise<boolean>((done) => setAsked({ realm, question, done }));
    });
  }, []);
  if (asked === undefined) return null;
  return (
    <Suspense>
      <Dialog asked={asked} end={() => setAsked(undefined)} />
    </Suspense>
  );
}
