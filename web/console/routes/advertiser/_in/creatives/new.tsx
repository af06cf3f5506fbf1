import { createFileRoute } from '@tanstack/react-router';
import { useWatch } from 'react-hook-form';
import { CREATIVE_TYPES, type CreativeType } from '../../../../../../domain/inventory.ts';
import { useWrite } from '../../../../api.ts';
import { SelectField, TextField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { create } from '../../../../queries/advertiser/creative.ts';
import { creativeTexts } from '../../../../texts/advertiser/creative.ts';
import { titles } from '../../../../texts/titles.ts';
import { contentOf, type Content, EMPTY_CONTENT } from '../../-parts/creative-content.ts';
import { SourceFields } from '../../-parts/creative-source.tsx';

interface Values extends Content {
  creative_type: CreativeType;
}

export const Route = createFileRoute('/advertiser/_in/creatives/new')({
  staticData: { title: (language) => titles[language].creativeNewTitle },
  component: NewCreative,
});

function NewCreative() {
  const t = useTexts(creativeTexts);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(create);
  return (
    <Page title={t.newTitle} crumbs={[{ text: t.title, to: '/advertiser/creatives' }]}>
      <Form<Values>
        route="POST /api/advertiser/creatives"
        values={{ ...EMPTY_CONTENT, creative_type: 'html' }}
        submit={t.submit}
        send={async ({ creative_type: kind, ...content }) => {
          const made = await mutateAsync({
            body: { ...contentOf(kind, content), creative_type: kind },
          });
          told(made.audit_status === 'DRAFT' ? t.keptAsDraft : t.submitted);
          await navigate({
            to: '/advertiser/creatives/$id',
            params: { id: made.id },
            ignoreBlocker: true,
          });
        }}
      >
        <TextField name="name" label={t.name} required />
        <SelectField
          name="creative_type"
          label={t.kind}
          options={CREATIVE_TYPES.map((value) => ({ value, label: t.kinds[value] }))}
          required
        />
        <Source />
      </Form>
    </Page>
  );
}

function Source() {
  const kind = useWatch<Values, 'creative_type'>({ name: 'creative_type' });
  return <SourceFields kind={kind} />;
}
