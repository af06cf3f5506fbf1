import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { create } from '../../../../queries/publisher/site.ts';
import { site } from '../../../../texts/site.ts';
import { titles } from '../../../../texts/titles.ts';
import { askOf, EMPTY, SiteFields, type SiteValues } from './-site-fields.tsx';

export const Route = createFileRoute('/publisher/_in/sites/new')({
  staticData: { title: (language) => titles[language].siteAdd },
  component: NewSite,
});

function NewSite() {
  const t = useTexts(site);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(create);
  return (
    <Page title={t.add} lead={t.addLead} crumbs={[{ text: t.title, to: '/publisher/sites' }]}>
      <Form<SiteValues>
        route="POST /api/publisher/sites"
        values={EMPTY}
        submit={t.add}
        send={async (values) => {
          // What was typed before another kind was chosen is shown no more.
          const other = values.media_type === 'WEB' ? { app_package: null } : { domain: null };
          const { id } = await mutateAsync({ body: askOf({ ...values, ...other }) });
          await navigate({ href: `/publisher/sites/${id}`, ignoreBlocker: true });
        }}
      >
        {(form) => <SiteFields kind={form.watch('media_type')} isNew />}
      </Form>
    </Page>
  );
}
