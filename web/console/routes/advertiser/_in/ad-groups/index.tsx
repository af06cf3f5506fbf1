import { createFileRoute } from '@tanstack/react-router';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { linkTo } from '../../../../parts/link-to.ts';
import { Page } from '../../../../parts/page.tsx';
import { useFigureZone } from '../../../../parts/row-figures.tsx';
import { asked, figuresSearch, narrowed, sortedBy } from '../../../../parts/row-figures-search.ts';
import { FiguresControls } from '../../../../parts/row-figures-controls.tsx';
import { numberOf, oneOf, stated, textOf } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { list } from '../../../../queries/advertiser/ad-group.ts';
import { inventory } from '../../../../texts/advertiser/inventory.ts';
import { titles } from '../../../../texts/titles.ts';
import { AdGroupList } from '../../-parts/below-lists.tsx';
import { AD_GROUP_SORTS } from '../../-parts/below-sorts.ts';
import { AUDITS, STATUSES } from '../../-parts/inventory-states.ts';
import { belowOf, OfParent } from '../../-parts/of-parent.tsx';
import { ROW_FIGURES } from '../../-parts/row-figures.ts';
import { useStateFilters } from '../../-parts/state-filters.ts';

export const Route = createFileRoute('/advertiser/_in/ad-groups/')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      ...figuresSearch(raw),
      page: numberOf(raw['page']),
      keyword: textOf(raw['keyword']),
      sort: oneOf(AD_GROUP_SORTS, raw['sort']),
      status: oneOf(STATUSES, raw['status']),
      audit_status: oneOf(AUDITS, raw['audit_status']),
      campaign_id: numberOf(raw['campaign_id']),
    }),
  loaderDeps: ({ search }) => asked(search),
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(list(deps));
  },
  staticData: { title: (language) => titles[language].inventoryAdGroups, views: 'ad-groups' },
  component: AdGroups,
});

function AdGroups() {
  const t = useTexts(inventory);
  const stateFilters = useStateFilters();
  const search = Route.useSearch();
  const change = useSearchChange();
  const timeZone = useFigureZone(search);
  const rows = narrowed(search);
  const { page: _page, sort: _sort, ...filters } = rows;
  return (
    <Page
      title={t.adGroups}
      main={
        <ButtonLink {...linkTo(`/advertiser/ad-groups/new${belowOf(search)}`)}>
          {t.newAdGroup}
        </ButtonLink>
      }
    >
      <Filters
        values={rows}
        filters={[{ kind: 'text', name: 'keyword', label: t.name }, ...stateFilters]}
        onChange={change}
      >
        <FiguresControls
          of={ROW_FIGURES.adgroup}
          search={search}
          timeZone={timeZone}
          onChange={change}
        />
      </Filters>
      <OfParent search={search} onChange={change} />
      <AdGroupList
        query={asked(search, timeZone)}
        figures={search}
        isFiltered={Object.keys(filters).length > 0}
        onSort={(by) => change(sortedBy(by, timeZone))}
        onPage={(page) => change({ page })}
      />
    </Page>
  );
}
