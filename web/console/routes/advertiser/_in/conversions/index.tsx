import { createFileRoute } from '@tanstack/react-router';
import { CONVERSION_STATUSES } from '../../../../../../domain/tracker.ts';
import { CONVERSION_FINDINGS } from '../../../../../../domain/tracking/conversion-findings.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { linkTo } from '../../../../parts/link-to.ts';
import { Page } from '../../../../parts/page.tsx';
import { numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { list } from '../../../../queries/advertiser/conversion.ts';
import { conversionTexts } from '../../../../texts/advertiser/conversion.ts';
import { conversionFound } from '../../../../texts/conversion-found.ts';
import { states } from '../../../../texts/states.ts';
import { titles } from '../../../../texts/titles.ts';
import { ConversionList } from '../../-parts/conversion-list.tsx';
import { TrackerPick } from '../../-parts/tracker-pick.tsx';
import { conversionStateOf } from '../../-parts/conversion-state.ts';

const FOUND = ['any', 'none', ...CONVERSION_FINDINGS] as const;

export const Route = createFileRoute('/advertiser/_in/conversions/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      page: numberOf(raw['page']),
      status: oneOf(CONVERSION_STATUSES, raw['status']),
      finding: oneOf(FOUND, raw['finding']),
      tracker_id: numberOf(raw['tracker_id']),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(list(deps));
  },
  staticData: { title: (language) => titles[language].conversions },
  component: ConversionsPage,
});

function ConversionsPage() {
  const t = useTexts(conversionTexts);
  const found = useTexts(conversionFound);
  const s = useTexts(states);
  const search = Route.useSearch();
  const change = useSearchChange();
  const { page: _page, ...filters } = search;
  return (
    <Page
      title={t.title}
      lead={t.lead}
      main={<ButtonLink {...linkTo('/advertiser/conversions/file')}>{t.byFile}</ButtonLink>}
    >
      <Filters
        values={search}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: t.status,
            options: CONVERSION_STATUSES.map((value) => ({
              value,
              label: s[conversionStateOf(value)],
            })),
          },
          {
            kind: 'choice',
            name: 'finding',
            label: t.finding,
            options: FOUND.map((value) => ({ value, label: found[value] })),
          },
          { kind: 'own', name: 'tracker_id', label: t.tracker, field: TrackerPick },
        ]}
        onChange={change}
      />
      <ConversionList
        query={search}
        isFiltered={Object.keys(filters).length > 0}
        onPage={(page) => change({ page })}
      />
    </Page>
  );
}
