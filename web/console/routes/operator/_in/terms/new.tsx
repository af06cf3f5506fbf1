import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { useCountryOptions } from '../../../../parts/countries.ts';
import { DayField } from '../../../../parts/day-fields.tsx';
import { NumberField, SelectField, TextAreaField, TextField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { told } from '../../../../parts/toast.ts';
import { proposeTerm, TERM_KINDS, type TermBody } from '../../../../queries/operator/term.ts';
import { term } from '../../../../texts/term.ts';
import { titles } from '../../../../texts/titles.ts';
import { FoundField } from '../-shown/found-field.tsx';
import { inForce, termsOf } from './-in-force.ts';

export const Route = createFileRoute('/operator/_in/terms/new')({
  staticData: { title: (language) => titles[language].operatorTerms },
  component: NewTerm,
});

const DAY_MS = 86_400_000;
type Values = TermBody & Record<string, unknown>;

/** What belongs to the other kind is not sent, whatever was typed before the kind was changed. */
function bodyOf({ kind, publisher_id, country, entity_type, basis, ...rest }: Values): TermBody {
  return kind === 'SHARE'
    ? { ...rest, kind, publisher_id: publisher_id ?? null }
    : { ...rest, kind, country: country ?? null, entity_type: entity_type ?? null, basis };
}

function NewTerm() {
  const t = useTexts(term);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(proposeTerm);
  const values = {
    kind: 'SHARE',
    publisher_id: null,
    country: null,
    entity_type: null,
    percent: null,
    from: new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10),
    basis: null,
    note: '',
  };
  return (
    <Page
      title={t.propose}
      lead={t.proposeLead}
      crumbs={[{ text: t.title, to: '/operator/terms' }]}
    >
      <Form<Values>
        values={values as never}
        route="POST /api/admin/money-terms"
        submit={t.send}
        send={async (given) => {
          await mutateAsync({ body: bodyOf(given) });
          told(t.proposed);
          await navigate({ to: '/operator/terms', ignoreBlocker: true });
        }}
      >
        {(form) => <Fields values={form.watch() as Values} />}
      </Form>
    </Page>
  );
}

function Fields({ values }: { values: Values }) {
  const t = useTexts(term);
  const { gap } = useMarks();
  const { kind } = values;
  const isShare = kind === 'SHARE';
  const scope = {
    kind,
    publisher_id: isShare ? (values.publisher_id ?? null) : null,
    country: isShare ? null : (values.country ?? null),
    entity_type: isShare ? null : (values.entity_type ?? null),
  };
  const today = inForce(useQuery(termsOf(scope)).data?.items, scope);
  const countries = useCountryOptions();
  return (
    <>
      <SelectField
        name="kind"
        label={t.kind}
        options={TERM_KINDS.map((value) => ({ value, label: t.kinds[value] }))}
        required
      />
      {kind === 'SHARE' ? (
        <FoundField
          name="publisher_id"
          label={t.publisher}
          help={t.publisherHelp}
          types={['publisher']}
        />
      ) : (
        <>
          <SelectField
            name="country"
            label={t.country}
            help={t.any}
            options={countries}
            clearable
          />
          <SelectField
            name="entity_type"
            label={t.entity}
            help={t.any}
            options={(['PERSONAL', 'BUSINESS'] as const).map((value) => ({
              value,
              label: t.entities[value],
            }))}
            clearable
          />
          <TextField name="basis" label={t.basis} help={t.basisHelp} maxLength={200} required />
        </>
      )}
      <NumberField
        name="percent"
        label={t.percent}
        help={[
          t.percentHelp[kind],
          ...(today === null ? [] : [t.todayIs(t.held(today.percent, today.isOfAll))]),
        ].join(gap)}
        min={0}
        max={kind === 'SHARE' ? 100 : 50}
        decimals={4}
        suffix="%"
        required
      />
      <DayField name="from" label={t.from} help={t.fromHelp} required />
      <TextAreaField name="note" label={t.note} help={t.noteHelp} maxLength={2_000} />
    </>
  );
}
