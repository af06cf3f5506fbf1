import { Alert } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useWatch } from 'react-hook-form';
import { useWrite } from '../../../../api.ts';
import { ButtonLink } from '../../../../parts/button-link.tsx';
import { EditForm, ifMatch } from '../../../../parts/edit-form.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Page } from '../../../../parts/page.tsx';
import { idParams } from '../../../../parts/search.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { one, reread, save } from '../../../../queries/publisher/site.ts';
import { common } from '../../../../texts/common.ts';
import { site } from '../../../../texts/site.ts';
import { titles } from '../../../../texts/titles.ts';
import { askOf, SiteFields, type SiteValues, valuesOf } from './-site-fields.tsx';

export const Route = createFileRoute('/publisher/_in/sites/$id_/edit')({
  params: idParams,
  loader: async ({ context: { queryClient }, params: { id } }) => {
    await queryClient.prefetchQuery(one(id));
  },
  staticData: { title: (language) => titles[language].siteEditTitle },
  component: EditSite,
});

function EditSite() {
  const { id } = Route.useParams();
  const t = useTexts(site);
  const c = useTexts(common);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(save);
  const back = `/publisher/sites/${id}`;
  return (
    <Loaded query={one(id)} isPage>
      {(row) => (
        <Page
          title={t.editTitle}
          crumbs={[
            { text: t.title, to: '/publisher/sites' },
            { text: row.name, to: back },
          ]}
        >
          <Alert color="blue" variant="light" className="form">
            {t.editWarning}
          </Alert>
          <EditForm
            route="PUT /api/publisher/sites/{id}"
            row={row}
            valuesOf={valuesOf}
            reread={async () => await reread(id)}
            names={{ name: t.name, domain: t.domain, url: t.url, description: t.description }}
            save={async (values, version) => {
              await mutateAsync({ path: { id }, headers: ifMatch(version), body: askOf(values) });
              await navigate({ href: back, ignoreBlocker: true });
            }}
            cancel={
              <ButtonLink to={back} variant="default">
                {c.cancel}
              </ButtonLink>
            }
          >
            <Fields />
          </EditForm>
        </Page>
      )}
    </Loaded>
  );
}

const Fields = () => (
  <SiteFields kind={useWatch<SiteValues, 'media_type'>({ name: 'media_type' })} />
);
