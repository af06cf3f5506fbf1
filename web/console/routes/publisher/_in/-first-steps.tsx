import { ButtonLink } from '../../../parts/button-link.tsx';
import { linkTo } from '../../../parts/link-to.ts';
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
          action: step.to !== undefined && (
            <ButtonLink
              {...linkTo(step.to)}
              {...(step.changes === undefined ? {} : { changes: step.changes })}
              size="compact-sm"
              variant="default"
              mt={4}
            >
              {t.links[step.state]}
            </ButtonLink>
          ),
        }))}
      />
    </Section>
  );
}
