import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { Zone } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { mayArchive, maySubmit, mayToggle } from '../../../../may/placement.ts';
import type { Action } from '../../../../parts/action.tsx';
import { Appeal } from '../../../../parts/appeal.tsx';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Page } from '../../../../parts/page.tsx';
import { idParams, oneOf, stated } from '../../../../parts/search.ts';
import { ReviewReasons } from '../../../../parts/review-reasons.tsx';
import { Section } from '../../../../parts/section.tsx';
import { State } from '../../../../parts/state.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { lastWeek, zoneStats } from '../../../../queries/publisher/report.ts';
import { one as oneSite } from '../../../../queries/publisher/site.ts';
import { appeal, archive, code, one, submit, toggle } from '../../../../queries/publisher/zone.ts';
import { common } from '../../../../texts/common.ts';
import { zone } from '../../../../texts/zone.ts';
import { titles } from '../../../../texts/titles.ts';
import { Revenue } from '../-revenue.tsx';
import { Requests } from './-requests.tsx';
import { WAYS } from './-ways.ts';
import { WhyEmpty } from './-why-empty.tsx';
import { Code } from './-zone-code.tsx';
import { ZonePreview } from './-zone-preview.tsx';
import { ZoneSettings } from './-zone-settings.tsx';
import { sizeOf } from './-zone-values.ts';

export const Route = createFileRoute('/publisher/_in/zones/$id')({
  params: idParams,
  // Of its code.
  validateSearch: (raw: Record<string, unknown>) => stated({ tab: oneOf(WAYS, raw['tab']) }),
  loader: async ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(code(id));
    await queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].zone },
  component: ZonePage,
});

/** A new zone is reviewed within moments: while it waits, the page looks again. */
const REVIEWED_MS = 4_000;

function ZonePage() {
  const { id } = Route.useParams();
  return (
    <Loaded
      query={{
        ...one(id),
        refetchInterval: ({ state }) =>
          state.data?.audit_status === 'PENDING' ? REVIEWED_MS : false,
      }}
      height={300}
      isPage
    >
      {(row) => <Shown row={row} />}
    </Loaded>
  );
}

function Shown({ row }: { row: Zone }) {
  const t = useTexts(zone);
  const c = useTexts(common);
  const { data: site } = useQuery(oneSite(row.site_id));
  const { mutateAsync } = useWrite(appeal);
  return (
    <Page
      title={row.name}
      beside={<State state={row.status === 'ACTIVE' ? row.delivery_status : row.status} />}
      lead={[site?.name, t.types[row.type].name, sizeOf(row)]
        .filter((part) => part !== undefined && part !== null)
        .join(' · ')}
      crumbs={[{ text: t.title, to: '/publisher/zones' }]}
      actions={useZoneActions(row)}
      main={
        <ButtonLink to="/publisher/zones/$id/edit" params={{ id: row.id }} variant="default">
          {c.edit}
        </ButtonLink>
      }
    >
      {row.delivery_status === 'ELIGIBLE' && (
        <Alert color="teal" variant="light" role="status">
          {t.isServing}
        </Alert>
      )}
      <WhyEmpty row={row} />
      <ReviewReasons realm="publisher" subject="zone" reasons={row.audit_reasons} />
      <Appeal
        row={row}
        route={appeal.route}
        send={async (text) => await mutateAsync({ path: { id: row.id }, body: { text } })}
      />
      <Code row={row} tab={Route.useSearch().tab} />
      <Requests id={row.id} site={site} />
      <ZonePreview row={row} />
      <Section title={t.figures}>
        <Revenue query={zoneStats(row.id, lastWeek())} />
      </Section>
      <ZoneSettings row={row} />
    </Page>
  );
}

function useZoneActions(row: Zone): Action[] {
  const t = useTexts(zone);
  const toggling = useWrite(toggle);
  const submitting = useWrite(submit);
  const archiving = useWrite(archive);
  const navigate = Route.useNavigate();
  const path = { id: row.id };
  const words = (key: keyof typeof t.refusals | null) => (key === null ? null : t.refusals[key]);
  const canSubmit = maySubmit(row);
  return [
    ...(canSubmit === null
      ? [
          {
            label: t.submit,
            run: async () => await submitting.mutateAsync({ path }),
            done: t.submitted,
          },
        ]
      : []),
    {
      label: row.status === 'PAUSED' ? t.resume : t.pause,
      refusal: words(mayToggle(row)),
      run: async () => await toggling.mutateAsync({ path }),
    },
    {
      label: t.archive,
      refusal: words(mayArchive(row)),
      confirm: { title: t.archiveTitle, body: t.archiveBody },
      run: async () => {
        await archiving.mutateAsync({ path });
        await navigate({ to: '/publisher/zones' });
      },
      danger: true,
    },
  ];
}
