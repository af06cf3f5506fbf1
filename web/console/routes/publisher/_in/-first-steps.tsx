import { fixLink } from '../../../parts/fix-link.tsx';
import { Section } from '../../../parts/section.tsx';
import { Steps } from '../../../parts/steps.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { publisherFirstSteps } from '../../../texts/publisher-first-steps.ts';
import type { FirstStep } from './-first-steps-of.ts';

/** The path of a new account, with a link at each step that can be taken now. */
export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const t = useTexts(publisherFirstSteps);
  return (
    <Section title={t.label}>
      <Steps
        label={t.label}
        steps={steps.map((step) => ({
          key: step.key,
          title: t.titles[step.key],
          state: t.states[step.state],
          isDone: step.state === 'done',
          action: step.to !== undefined && fixLink(step.to, t.links[step.state], step.changes),
        }))}
      />
    </Section>
  );
}
