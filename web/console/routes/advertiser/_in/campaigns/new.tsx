import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { balance } from '../../../../queries/advertiser/account.ts';
import { emptyMemory, launch } from '../../../../queries/advertiser/launch.ts';
import { launchTexts } from '../../../../texts/advertiser/launch.ts';
import { campaign } from '../../../../texts/campaign.ts';
import { titles } from '../../../../texts/titles.ts';
import { AdFields, MoreFields, TermsFields } from '../../-parts/launch-fields.tsx';
import { LaunchSummary, type StepStates } from '../../-parts/launch-summary.tsx';
import { EMPTY, type LaunchValues, planOf } from '../../-parts/launch-values.ts';
import { useProfileFirst } from '../../-parts/profile-first.tsx';

export const Route = createFileRoute('/advertiser/_in/campaigns/new')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(balance);
  },
  staticData: { title: (language) => titles[language].campaignCreate },
  component: NewCampaign,
});

function NewCampaign() {
  const t = useTexts(launchTexts);
  const c = useTexts(campaign);
  const navigate = Route.useNavigate();
  const queries = useQueryClient();
  const [steps, setSteps] = useState<StepStates>({});
  const { run, dialog } = useProfileFirst();
  // Of this form: a second try neither repeats what is made nor loses an answer.
  const memory = useRef(emptyMemory());
  const asked = useRef<'draft' | 'submit'>('submit');
  const send = async (values: LaunchValues): Promise<void> => {
    const isDraft = asked.current === 'draft';
    asked.current = 'submit';
    setSteps({});
    const id = await run(
      async () =>
        await launch(planOf(values, isDraft), memory.current, (step, state) =>
          setSteps((was) => ({ ...was, [step]: state })),
        ),
    );
    await queries.invalidateQueries();
    told(isDraft ? t.drafted : t.submitted);
    await navigate({ to: '/advertiser/campaigns/$id', params: { id }, ignoreBlocker: true });
  };
  return (
    <Page title={t.title} lead={t.lead} crumbs={[{ text: c.title, to: '/advertiser/campaigns' }]}>
      {dialog}
      <Form<LaunchValues>
        route="POST /api/advertiser/campaigns"
        values={EMPTY}
        submit={t.submit}
        cancel={<DraftButton onAsk={() => (asked.current = 'draft')} text={t.draft} />}
        aside={<LaunchSummary steps={steps} />}
        send={send}
        onRefused={() => (asked.current = 'submit')}
      >
        <AdFields />
        <TermsFields />
        <MoreFields />
      </Form>
    </Page>
  );
}

/** Not a submit button itself: Enter in a field means the other one. */
const DraftButton = ({ text, onAsk }: { text: string; onAsk: () => void }) => (
  <Button
    type="button"
    variant="default"
    onClick={(event) => {
      onAsk();
      event.currentTarget.form?.requestSubmit();
    }}
  >
    {text}
  </Button>
);
