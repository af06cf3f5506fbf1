import { createFileRoute } from '@tanstack/react-router';
import { Filters } from '../../../parts/filters.tsx';
import { Page } from '../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../parts/search.ts';
import { useTexts } from '../../../parts/texts.ts';
import { historyTexts } from '../../../texts/advertiser/history.ts';
import { titles } from '../../../texts/titles.ts';
import { HistoryList } from '../-parts/history-list.tsx';

const SUBJECTS = [
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'media',
  'tracker',
  'deposit',
  'webhook',
  'advertiser',
] as const;

export const Route = createFileRoute('/advertiser/_in/history')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      subject_type: oneOf(SUBJECTS, raw['subject_type']),
      page: numberOf(raw['page']),
    }),
  staticData: { title: (language) => titles[language].history },
  component: History,
});

function History() {
  const t = useTexts(historyTexts);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page title={t.title} lead={t.lead}>
      <Filters
        values={search}
        filters={[
          {
            kind: 'choice',
            name: 'subject_type',
            label: t.subject,
            options: SUBJECTS.map((value) => ({ value, label: t.subjects[value] })),
          },
        ]}
        onChange={(change) => void navigate({ search: change as never })}
      />
      <HistoryList
        query={search}
        isFiltered={search.subject_type !== undefined}
        onPage={(page) => void navigate({ search: (was) => ({ ...was, page }) })}
      />
    </Page>
  );
}
