import { createFileRoute } from '@tanstack/react-router';
import type { Site } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { mayArchive, mayToggle } from '../../../../may/placement.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Page } from '../../../../parts/page.tsx';
import { idParams, numberOf, oneOf, stated } from '../../../../parts/search.ts';
import { Section } from '../../../../parts/section.tsx';
import { State } from '../../../../parts/state.tsx';
import { SubjectTimeline } from '../../../../parts/subject-timeline.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { lastWeek, siteStats } from '../../../../queries/publisher/report.ts';
import { archive, one, REVIEWED, toggle } from '../../../../queries/publisher/site.ts';
import { ofSite } from '../../../../queries/publisher/zone.ts';
import { common } from '../../../../texts/common.ts';
import { site } from '../../../../texts/site.ts';
import { titles } from '../../../../texts/titles.ts';
import { Revenue } from '../-revenue.tsx';
import { AdsTxt } from './-ads-txt.tsx';
import { Path } from './-path.tsx';
import { SiteReview } from './-site-review.tsx';
import { SiteZones } from './-site-zones.tsx';
import { Transfer } from './-transfer.tsx';
import { Verification } from './-verification.tsx';

const METHODS = ['META', 'FILE', 'DNS', 'ADS_TXT'] as const;

export const Route = createFileRoute('/publisher/_in/sites/$id')({
  params: idParams,
  // Of the zones below, and of the ways to prove whose it is.
  validateSearch: (raw: Record<string, unknown>) =>
    stated({ page: numberOf(raw['page']), tab: oneOf(METHODS, raw['tab']) }),
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: async ({ context: { queryClient }, params: { id }, deps: { page } }) => {
    void queryClient.prefetchQuery(ofSite(id, page));
    await queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].site },
  component: SitePage,
});

function SitePage() {
  const { id } = Route.useParams();
  return (
    <Loaded query={one(id)} height={300} isPage>
      {(row) => <Shown row={row} />}
    </Loaded>
  );
}

/** What holds it up, in its order: its owner, its proof, then whether it serves. */
function stateOf(row: Site): Site['status'] | Site['verify_status'] | Site['delivery_status'] {
  if (row.status !== 'ACTIVE') return row.status;
  return row.verify_status === 'UNVERIFIED' ? row.verify_status : row.delivery_status;
}

function Shown({ row }: { row: Site }) {
  const t = useTexts(site);
  const c = useTexts(common);
  const { page, tab } = Route.useSearch();
  const isApproved = row.audit_status === 'APPROVED';
  return (
    <Page
      title={row.name}
      beside={<State state={stateOf(row)} />}
      lead={row.domain ?? row.app_package}
      crumbs={[{ text: t.title, to: '/publisher/sites' }]}
      actions={useSiteActions(row)}
      main={
        <ButtonLink to="/publisher/sites/$id/edit" params={{ id: row.id }} variant="default">
          {c.edit}
        </ButtonLink>
      }
    >
      <Path row={row} />
      <Transfer row={row} />
      {row.verify_status !== 'VERIFIED' && <Verification row={row} tab={tab} />}
      {!isApproved && <SiteReview row={row} />}
      {!isApproved && (
        <SubjectTimeline realm="publisher" subject="site" id={row.id} stale={REVIEWED} />
      )}
      {isApproved && <SiteZones row={row} page={page} />}
      {isApproved && (
        <Section title={t.figures}>
          <Revenue query={siteStats(row.id, lastWeek())} />
        </Section>
      )}
      {row.verify_status === 'VERIFIED' && <Verification row={row} tab={tab} />}
      {row.verify_status === 'VERIFIED' && <AdsTxt row={row} />}
      <Section title={t.details}>
        <Facts
          rows={[
            [t.kind, t[row.media_type]],
            [t.url, row.url],
            [t.description, row.description],
            [t.icp, row.icp],
            [t.created, <When key="created" at={row.created_at} />],
          ]}
        />
      </Section>
    </Page>
  );
}

function useSiteActions(row: Site) {
  const t = useTexts(site);
  const toggling = useWrite(toggle);
  const archiving = useWrite(archive);
  const navigate = Route.useNavigate();
  const path = { id: row.id };
  const refusal = (key: keyof typeof t.refusals | null) => (key === null ? null : t.refusals[key]);
  return [
    {
      label: row.status === 'PAUSED' ? t.resume : t.pause,
      refusal: refusal(mayToggle(row)),
      run: async () => await toggling.mutateAsync({ path }),
    },
    {
      label: t.archive,
      refusal: refusal(mayArchive(row)),
      confirm: { title: t.archiveTitle, body: t.archiveBody, typed: row.name },
      run: async () => {
        await archiving.mutateAsync({ path });
        await navigate({ to: '/publisher/sites' });
      },
      danger: true,
    },
  ];
}
