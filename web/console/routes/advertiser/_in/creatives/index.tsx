import { Anchor, Group, Pagination, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import type { Creative } from '../../../../../client/routes.ts';
import { CREATIVE_TYPES } from '../../../../../../domain/inventory.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Failed } from '../../../../parts/failed.tsx';
import { Filters } from '../../../../parts/filters.tsx';
import { Page } from '../../../../parts/page.tsx';
import { listSearch, oneOf, stated } from '../../../../parts/search.ts';
import { useSearchChange } from '../../../../parts/search-change.ts';
import { State } from '../../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { list } from '../../../../queries/advertiser/creative.ts';
import { creativeTexts } from '../../../../texts/advertiser/creative.ts';
import { titles } from '../../../../texts/titles.ts';
import { common } from '../../../../texts/common.ts';
import { BatchUpload } from '../../-parts/batch-upload.tsx';
import { RowActions } from '../../-parts/below-lists.tsx';
import { Delivery } from '../../-parts/delivery.tsx';
import { AUDITS, STATUSES } from '../../-parts/inventory-states.ts';
import { useStateFilters } from '../../-parts/state-filters.ts';
import { Thumbnail } from '../../-parts/thumbnail.tsx';
import classes from '../../-parts/creatives.module.css';

export const Route = createFileRoute('/advertiser/_in/creatives/')({
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...stated({
      status: oneOf(STATUSES, raw['status']),
      audit_status: oneOf(AUDITS, raw['audit_status']),
      creative_type: oneOf(CREATIVE_TYPES, raw['creative_type']),
    }),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { sort: _sort, ...deps } }) => {
    void queryClient.prefetchQuery(list(deps));
  },
  staticData: { title: (language) => titles[language].creative, views: 'creatives' },
  component: Creatives,
});

function Creatives() {
  const t = useTexts(creativeTexts);
  const stateFilters = useStateFilters();
  const { sort: _sort, ...search } = Route.useSearch();
  const change = useSearchChange();
  return (
    <Page
      title={t.title}
      lead={t.lead}
      main={
        <Group gap="xs">
          <ButtonLink to="/advertiser/creatives/generate" variant="default">
            {t.generate}
          </ButtonLink>
          <ButtonLink to="/advertiser/creatives/new" variant="default">
            {t.newText}
          </ButtonLink>
        </Group>
      }
    >
      <BatchUpload />
      <Filters
        values={search}
        filters={[
          { kind: 'text', name: 'keyword', label: t.name },
          ...stateFilters,
          {
            kind: 'choice',
            name: 'creative_type',
            label: t.type,
            options: CREATIVE_TYPES.map((value) => ({ value, label: t.kinds[value] })),
          },
        ]}
        onChange={change}
      />
      <Grid />
    </Page>
  );
}

function Grid() {
  const t = useTexts(creativeTexts);
  const c = useTexts(common);
  const { sort: _sort, ...search } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { page: _page, ...filters } = search;
  const { data, error, refetch } = useQuery({
    ...list(search),
    placeholderData: keepPreviousData,
  });
  if (error !== null && data === undefined) {
    return <Failed error={error} again={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton height={240} aria-label={c.loading} />;
  if (data.items.length === 0) {
    const isFiltered = Object.keys(filters).length > 0;
    return (
      <Stack align="center" py="xl">
        <Text fw={600}>{isFiltered ? t.noneFound : t.none}</Text>
        {!isFiltered && <Text c="dimmed">{t.noneNext}</Text>}
      </Stack>
    );
  }
  return (
    <Stack>
      <ul className={classes['grid']} aria-label={t.title}>
        {data.items.map((row) => (
          <li key={row.id} className={classes['card']} data-id={row.id}>
            <Card row={row} />
          </li>
        ))}
      </ul>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" data-total={data.total}>
          {c.rows(data.total)}
        </Text>
        {data.total_pages > 1 && (
          <Pagination
            value={data.page}
            total={data.total_pages}
            size="sm"
            onChange={(page) => void navigate({ search: (was) => ({ ...was, page }) })}
            getControlProps={(control) => ({ 'aria-label': control })}
            getItemProps={(page) => ({ 'aria-label': c.page(page, data.total_pages) })}
          />
        )}
      </Group>
    </Stack>
  );
}

function Card({ row }: { row: Creative }) {
  const t = useTexts(creativeTexts);
  return (
    <>
      <Thumbnail creative={row} />
      <Anchor component={Link} to={`/advertiser/creatives/${row.id}`} size="sm" lineClamp={1}>
        {row.name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {wordOf(t.kinds, row.creative_type).split(':')[0]}
        {row.width === null ? '' : ` · ${row.width} × ${row.height}`}
      </Text>
      <Group gap={4}>
        {row.audit_status !== row.delivery_status && <State state={row.audit_status} />}
        <Delivery row={row} ids={{ creative: row.id }} />
      </Group>
      <RowActions level="creative" row={row} />
    </>
  );
}
