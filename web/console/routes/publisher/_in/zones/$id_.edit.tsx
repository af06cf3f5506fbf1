import { Alert } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { EditForm, ifMatch } from '../../../../parts/edit-form.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Page } from '../../../../parts/page.tsx';
import { idParams } from '../../../../parts/search.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { formats, one, reread, save } from '../../../../queries/publisher/zone.ts';
import { common } from '../../../../texts/common.ts';
import { zone } from '../../../../texts/zone.ts';
import { titles } from '../../../../texts/titles.ts';
import { ZoneFields } from './-zone-fields.tsx';
import { askOf, valuesOf } from './-zone-values.ts';

export const Route = createFileRoute('/publisher/_in/zones/$id_/edit')({
  params: idParams,
  loader: async ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(formats);
    await queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].zoneEditTitle },
  component: EditZone,
});

function EditZone() {
  const { id } = Route.useParams();
  const t = useTexts(zone);
  const c = useTexts(common);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(save);
  const back = `/publisher/zones/${id}`;
  return (
    <Loaded query={formats}>
      {({ items }) => (
        <Loaded query={one(id)} isPage>
          {(zoneRow) => (
            <Page
              title={t.editTitle}
              crumbs={[
                { text: t.title, to: '/publisher/zones' },
                { text: zoneRow.name, to: back },
              ]}
            >
              <Alert color="blue" variant="light" className="form">
                {t.editWarning}
              </Alert>
              <EditForm
                route="PUT /api/publisher/zones/{id}"
                row={zoneRow}
                valuesOf={(row) => valuesOf(row, items)}
                reread={async () => await reread(id)}
                names={{
                  name: t.name,
                  size_id: t.size,
                  width: t.width,
                  height: t.height,
                  device: t.device,
                  refresh: t.refresh,
                  pricing_types: t.pricing,
                  floor_price_cpm: t.floorCpm,
                  floor_price_cpc: t.floorCpc,
                }}
                save={async (values, version) => {
                  const body = askOf(zoneRow.type, values, items);
                  await mutateAsync({ path: { id }, headers: ifMatch(version), body });
                  await navigate({ href: back, ignoreBlocker: true });
                }}
                cancel={
                  <ButtonLink to={back} variant="default">
                    {c.cancel}
                  </ButtonLink>
                }
              >
                <ZoneFields type={zoneRow.type} formats={items} />
              </EditForm>
            </Page>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
