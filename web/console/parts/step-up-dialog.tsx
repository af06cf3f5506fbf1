import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api } from '../api.ts';
import type { Realm } from '../session.ts';
import { whenProofIsAsked } from '../step-up.ts';
import { security } from '../texts/security.ts';
import { Dialog } from './dialog.tsx';
import { FactorAnswer } from './factor-answer.tsx';
import type { FactorQuestion } from './factor-question.ts';
import { useTexts } from './texts.ts';

interface Asked {
  realm: Realm;
  question: FactorQuestion;
  done: (shown: boolean) => void;
}

/** Asks for the second factor again, for whatever call needs it; one dialog for all pages. */
export function StepUpDialog() {
  const t = useTexts(security);
  const [asked, setAsked] = useState<Asked>();
  // The calls that need it are outside of React, and know this place by what it registers.
  useEffect(() => {
    whenProofIsAsked(async (realm) => {
      const route = `POST /api/${realm}/auth/step-up/question` as const;
      const question = (await api(route).call(route)) as FactorQuestion;
      return await new Promise<boolean>((done) => setAsked({ realm, question, done }));
    });
  }, []);
  if (asked === undefined) return null;
  const { realm, question, done } = asked;
  const end = (shown: boolean): void => {
    setAsked(undefined);
    done(shown);
  };
  return (
    <Dialog onClose={() => end(false)} title={t.again} centered>
      <Text size="sm" mb="sm">
        {t.againLead}
      </Text>
      <FactorAnswer
        question={question}
        submit={t.confirm}
        send={async (body) => {
          const route = `POST /api/${realm}/auth/step-up` as const;
          await api(route).call(route, { body });
          end(true);
        }}
        again={() => end(false)}
      />
    </Dialog>
  );
}
