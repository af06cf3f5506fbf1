import { Alert, Group, Tabs, Text } from '@mantine/core';
import { ActionButton } from '../../../../parts/action.tsx';
import { createFileRoute } from '@tanstack/react-router';
import type { Creative } from '../../../../../client/routes.ts';
import { ActionMenu } from '../../../../parts/action-menu.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { missingOf } from '../../../../may/inventory.ts';
import { Page } from '../../../../parts/page.tsx';
import { PageTabs } from '../../../../parts/page-tabs.tsx';
import { idParams, numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { SubjectTimeline } from '../../../../parts/subject-timeline.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { one, REVIEWED } from '../../../../queries/advertiser/creative.ts';
import { creativeTexts } from '../../../../texts/advertiser/creative.ts';
import { titles } from '../../../../texts/titles.ts';
import { AdList } from '../../-parts/below-lists.tsx';
import { CreativeEdit } from '../../-parts/creative-edit.tsx';
import { CreativeShown } from '../../-parts/creative-shown.tsx';
import { CreativeRevisions } from '../../-parts/creative-revisions.tsx';
import { ThreeStates } from '../../-parts/three-states.tsx';
import { WhyNot } from '../../-parts/delivery.tsx';
import { useInventoryActions } from '../../-parts/inventory-actions.ts';
import { InventoryAppeal } from '../../-parts/inventory-appeal.tsx';
import { Rejection } from '../../-parts/rejection.tsx';

const TABS = ['overview', 'versions', 'ads'] as const;

export const Route = createFileRoute('/advertiser/_in/creatives/$id')({
  params: idParams,
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      tab: oneOf(TABS, raw['tab']),
      edit: numberOf(raw['edit']),
      left: numberOf(raw['left']),
      right: numberOf(raw['right']),
      page: numberOf(raw['page']),
    }),
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].creative },
  component: CreativePage,
});

function CreativePage() {
  const { id } = Route.useParams();
  return (
    <Loaded query={one(id)} isPage>
      {(row) => <Shown row={row} />}
    </Loaded>
  );
}

function Shown({ row }: { row: Creative }) {
  const t = useTexts(creativeTexts);
  const { tab = 'overview', left, right, page, edit } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { toggle, submit, archive } = useInventoryActions('creative', row);
  return (
    <Page
      title={row.name}
      crumbs={[{ text: t.title, to: '/advertiser/creatives' }]}
      beside={<ThreeStates row={row} />}
      actions={
        edit === undefined && (submit.refusal === null || row.audit_status === 'DRAFT')
          ? [submit, toggle]
          : [toggle]
      }
      main={<ActionMenu of={row.name} actions={[archive]} />}
    >
      {(row.audit_status !== 'REJECTED' || row.audit_reasons.length === 0) && <Review row={row} />}
      <Rejection level="creative" row={row} isEdited={edit !== undefined} />
      {edit === undefined && <InventoryAppeal level="creative" row={row} />}
      {row.audit_status === 'PENDING' && <Standing id={row.id} />}
      {(row.audit_status === 'APPROVED' || row.audit_status === 'REJECTED') && (
        <WhyNot level="creative" row={row} ids={{ creative: row.id }} />
      )}
      <PageTabs tabs={TABS} names={t.tabs} current={tab}>
        <Tabs.Panel value="overview">
          <Overview row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <CreativeRevisions
            id={row.id}
            left={left}
            right={right}
            onChoose={(change) => void navigate({ search: (was) => ({ ...was, ...change }) })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="ads">
          <AdList
            query={{ creative_id: row.id, ...(page === undefined ? {} : { page }) }}
            onPage={(next) => void navigate({ search: (was) => ({ ...was, page: next }) })}
          />
        </Tabs.Panel>
      </PageTabs>
    </Page>
  );
}

/** While somebody waits for it above what it shows, afterwards below. */
const Standing = ({ id }: { id: number }) => (
  <SubjectTimeline realm="advertiser" subject="creative" id={id} stale={REVIEWED} />
);

/** Where it stands with the reviewers, in a sentence. */
function Review({ row }: { row: Creative }) {
  const t = useTexts(creativeTexts);
  const words = {
    DRAFT: t.draftText,
    PENDING: t.pendingText,
    APPROVED: t.approvedText,
    REJECTED: t.rejectedText,
    SUSPENDED: t.suspendedText,
  };
  const navigate = Route.useNavigate();
  const { approved_revision: approved, revision } = row;
  const [missing] = row.audit_status === 'DRAFT' ? missingOf(row) : [];
  const colours = { DRAFT: 'gray', PENDING: 'blue', APPROVED: 'teal', REJECTED: 'red' } as const;
  const colour = row.audit_status === 'SUSPENDED' ? 'red' : colours[row.audit_status];
  return (
    <Alert color={colour} variant="light" title={t.reviewTitle}>
      <Text size="sm">
        {words[row.audit_status]}{' '}
        {approved !== null && approved !== revision && t.servesOn(approved)}
        {missing !== undefined && t.missing(wordOf(t.sources, missing))}
      </Text>
      {(missing !== undefined || row.audit_status === 'REJECTED') && (
        <Group mt="xs">
          <ActionButton
            action={{
              label: missing === undefined ? t.mend : t.addContent,
              run: async () => await navigate({ search: { edit: 1 }, ignoreBlocker: true }),
            }}
            size="compact-sm"
          />
        </Group>
      )}
    </Alert>
  );
}

function Overview({ row }: { row: Creative }) {
  const t = useTexts(creativeTexts);
  const { edit } = Route.useSearch();
  const navigate = Route.useNavigate();
  const setEdit = (on: boolean): void =>
    void navigate({ search: on ? { edit: 1 } : {}, ignoreBlocker: true });
  if (edit !== undefined) return <CreativeEdit row={row} onDone={() => setEdit(false)} />;
  return (
    <>
      <CreativeShown creative={row} />
      <Group my="md">
        <ActionButton
          action={{ label: t.edit, run: async () => setEdit(true) }}
          size="compact-sm"
          variant="default"
        />
      </Group>
      <Facts
        rows={[
          [t.type, wordOf(t.kinds, row.creative_type)],
          [t.size, row.width === null ? t.anySize : `${row.width} × ${row.height}`],
          [t.revision, row.revision],
          [t.created, <When key="created" at={row.created_at} />],
        ]}
      />
      {row.audit_status !== 'PENDING' && <Standing id={row.id} />}
    </>
  );
}
