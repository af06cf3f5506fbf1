import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { create } from '../../../../queries/advertiser/tracker.ts';
import { trackerTexts } from '../../../../texts/advertiser/tracker.ts';
import { titles } from '../../../../texts/titles.ts';
import { common } from '../../../../texts/common.ts';
import {
  askOfTracker,
  EMPTY_TRACKER,
  TrackerFields,
  type TrackerValues,
} from '../../-parts/tracker-form.tsx';

export const Route = createFileRoute('/advertiser/_in/trackers/new')({
  staticData: { title: (language) => titles[language].trackerCreate },
  component: NewTracker,
});

function NewTracker() {
  const t = useTexts(trackerTexts);
  const c = useTexts(common);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(create);
  return (
    <Page title={t.create} crumbs={[{ text: t.title, to: '/advertiser/trackers' }]}>
      <Form<TrackerValues>
        route="POST /api/advertiser/trackers"
        values={EMPTY_TRACKER}
        submit={c.create}
        send={async (values) => {
          const made = await mutateAsync({ body: askOfTracker(values) });
          await navigate({
            to: '/advertiser/trackers/$id',
            params: { id: made.id },
            ignoreBlocker: true,
          });
        }}
      >
        <TrackerFields />
      </Form>
    </Page>
  );
}
