import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../api.ts';
import { DayField, MomentField } from '../../../../parts/day-fields.tsx';
import { NumberField, SelectField, TextAreaField, WordsField } from '../../../../parts/fields.tsx';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { requestReversal, type ReversalBody } from '../../../../queries/operator/reversal.ts';
import { reversal } from '../../../../texts/reversal.ts';
import { titles } from '../../../../texts/titles.ts';
import { FoundField } from '../-shown/found-field.tsx';

export const Route = createFileRoute('/operator/_in/reversals/new')({
  staticData: { title: (language) => titles[language].operatorReversals },
  component: NewReversal,
});

type Source = ReversalBody['source'];
type Field = Exclude<keyof ReversalBody, 'source' | 'reason' | 'note'>;

/** What each way of finding events asks for, and takes. */
const FIELDS: Readonly<Record<Source, readonly Field[]>> = {
  REJUDGE: ['from', 'to', 'publisher_id'],
  TRAFFIC: ['from', 'to', 'publisher_id', 'site_id', 'zone_id'],
  BATCH: ['batch_id'],
  EVENTS: ['day', 'event_ids'],
};
const SOURCES = Object.keys(FIELDS) as Source[];
const REASONS = ['INVALID_TRAFFIC', 'BILLING_ERROR'] as const;
const DAY_MS = 86_400_000;

type Values = Record<Field, unknown> & Pick<ReversalBody, 'source' | 'reason' | 'note'>;

/** Of the chosen source alone; what was left empty is not sent. */
const bodyOf = (values: Values): ReversalBody =>
  Object.fromEntries([
    ...(['source', 'reason', 'note'] as const).map((name) => [name, values[name]]),
    ...FIELDS[values.source]
      .map((name) => [name, values[name]] as const)
      .filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ]) as ReversalBody;

function NewReversal() {
  const t = useTexts(reversal);
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(requestReversal);
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  const values: Values = {
    source: 'REJUDGE',
    reason: 'INVALID_TRAFFIC',
    note: '',
    from: `${yesterday.slice(0, 10)}T00:00:00Z`,
    to: `${yesterday.slice(0, 16)}:00Z`,
    publisher_id: null,
    site_id: null,
    zone_id: null,
    batch_id: null,
    day: yesterday.slice(0, 10),
    event_ids: null,
  };
  return (
    <Page title={t.ask} lead={t.askLead} crumbs={[{ text: t.title, to: '/operator/reversals' }]}>
      <Form<Values>
        values={values as never}
        route="POST /api/admin/reversals"
        submit={t.send}
        send={async (given) => {
          const { id } = await mutateAsync({ body: bodyOf(given) });
          await navigate({ to: '/operator/reversals/$id', params: { id }, ignoreBlocker: true });
        }}
      >
        {(form) => (
          <>
            <SelectField
              name="source"
              label={t.source}
              options={SOURCES.map((value) => ({ value, label: t.sources[value] }))}
              required
            />
            <Scope of={FIELDS[(form.watch() as Values).source]} />
            <SelectField
              name="reason"
              label={t.reason}
              help={t.reasonHelp}
              options={REASONS.map((value) => ({ value, label: t.reasons[value] }))}
              required
            />
            <TextAreaField
              name="note"
              label={t.note}
              help={t.noteHelp}
              maxLength={2_000}
              required
            />
          </>
        )}
      </Form>
    </Page>
  );
}

function Scope({ of }: { of: readonly Field[] }) {
  const t = useTexts(reversal);
  const has = (field: Field): boolean => of.includes(field);
  return (
    <>
      {has('from') && <MomentField name="from" label={t.fromUtc} required />}
      {has('to') && <MomentField name="to" label={t.toUtc} required />}
      {has('publisher_id') && (
        <FoundField name="publisher_id" label={t.publisher} types={['publisher']} />
      )}
      {has('site_id') && <FoundField name="site_id" label={t.site} types={['site']} />}
      {has('zone_id') && <FoundField name="zone_id" label={t.zone} types={['zone']} />}
      {has('batch_id') && <NumberField name="batch_id" label={t.batch} min={1} required />}
      {has('day') && <DayField name="day" label={t.day} required />}
      {has('event_ids') && <WordsField name="event_ids" label={t.eventIds} required />}
    </>
  );
}
