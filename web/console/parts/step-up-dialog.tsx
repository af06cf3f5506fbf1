import { Text } from '@mantine/core';
import { api } from '../api.ts';
import type { Realm } from '../session.ts';
import { security } from '../texts/security.ts';
import { Dialog } from './dialog.tsx';
import { FactorAnswer } from './factor-answer.tsx';
import type { FactorQuestion } from './factor-question.ts';
import { useTexts } from './texts.ts';

/** A call that waits for the second factor. */
export interface ProofAsked {
  realm: Realm;
  question: FactorQuestion;
  done: (shown: boolean) => void;
}

export function StepUpDialog({ asked, end }: { asked: ProofAsked; end: () => void }) {
  const t = useTexts(security);
  const { realm, question, done } = asked;
  const answer = (shown: boolean): void => {
    end();
    done(shown);
  };
  return (
    <Dialog onClose={() => answer(false)} title={t.again} centered>
      <Text size="sm" mb="sm">
        {t.againLead}
      </Text>
      <FactorAnswer
        question={question}
        submit={t.confirm}
        send={async (body) => {
          const route = `POST /api/${realm}/auth/step-up` as const;
          await api(route).call(route, { body });
          answer(true);
        }}
        again={() => answer(false)}
      />
    </Dialog>
  );
}
