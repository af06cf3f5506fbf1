import { Alert, Button, Group, List, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../../../client/client.ts';
import { SelectField, TextField } from '../../../../parts/fields.tsx';
import { FileDrop } from '../../../../parts/file-drop.tsx';
import { Form } from '../../../../parts/form.tsx';
import { Page } from '../../../../parts/page.tsx';
import { Section } from '../../../../parts/section.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import {
  type StatusFile,
  uploadCamt,
  uploadStatement,
  uploadStatus,
} from '../../../../queries/operator/statement.ts';
import { statement } from '../../../../texts/statement.ts';
import { titles } from '../../../../texts/titles.ts';
import { Told } from './-told.tsx';
import { askOf, guessed, headsOf, type MappingValues } from './-mapping.ts';

export const Route = createFileRoute('/operator/_in/statements/new')({
  staticData: { title: (language) => titles[language].operatorStatements },
  component: NewStatement,
});

/** Where a file of a bank names its message. */
const HEAD_BYTES = 2_000;

interface Chosen {
  file: File;
  heads: readonly string[];
}

/** What has come of an upload; that a file was here before is said where it is shown. */
function useShow(): (uploaded: Awaited<ReturnType<typeof uploadCamt>>) => Promise<void> {
  const navigate = Route.useNavigate();
  const queries = useQueryClient();
  return async ({ id, repeated }) => {
    await queries.invalidateQueries({ queryKey: ['GET /api/admin/bank-statements'] });
    const search = repeated ? ({ again: 'yes' } as const) : {};
    await navigate({ to: '/operator/statements/$id', params: { id }, search, ignoreBlocker: true });
  };
}

function NewStatement() {
  const t = useTexts(statement);
  const show = useShow();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>();
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [told, setTold] = useState<StatusFile>();
  const take = async (file: File): Promise<void> => {
    if (!file.name.toLowerCase().endsWith('.xml')) {
      setChosen({ file, heads: await headsOf(file) });
      return;
    }
    try {
      // Its own words say which message it is; the server holds it to them.
      const head = await file.slice(0, HEAD_BYTES).text();
      if (/pain\.002|camt\.054/.test(head)) {
        setTold(await uploadStatus(file));
        await queries.invalidateQueries({ queryKey: ['GET /api/admin/withdrawals'] });
        return;
      }
      if (!head.includes('camt.053')) throw new TypeError(t.notOfBank);
      await show(await uploadCamt(file));
    } catch (error) {
      const rows = error instanceof ApiError ? error.errors.map(({ message }) => message) : [];
      setFaults(rows.length > 0 ? rows : [(error as Error).message]);
    }
  };
  return (
    <Page title={t.upload} lead={t.lead} crumbs={[{ text: t.title, to: '/operator/statements' }]}>
      <Faults title={t.faults} of={faults} />
      {told !== undefined && <Told file={told} />}
      {chosen === undefined ? (
        <FileDrop
          label={t.file}
          lead={t.drop}
          button={t.choose}
          hint={t.dropHelp}
          accept=".csv,.xml,text/csv,application/xml,text/xml"
          onFiles={([file]) => {
            setFaults([]);
            setTold(undefined);
            if (file !== undefined) void take(file);
          }}
        />
      ) : (
        <>
          <Group gap="xs">
            <Text>{chosen.file.name}</Text>
            <Button size="compact-sm" variant="default" onClick={() => setChosen(undefined)}>
              {t.another}
            </Button>
          </Group>
          <Mapping key={chosen.file.name} {...chosen} />
        </>
      )}
    </Page>
  );
}

function Faults({ title, of }: { title: string; of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert" title={title} my="sm">
      <List size="sm">
        {of.map((fault) => (
          <List.Item key={fault}>{fault}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

const DAY_FORMATS = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const;
const DECIMALS = ['auto', 'point', 'comma'] as const;

function Mapping({ file, heads }: Chosen) {
  const t = useTexts(statement);
  const show = useShow();
  const [faults, setFaults] = useState<readonly string[]>([]);
  const columns = [...new Set(heads)].filter((head) => head !== '');
  const options = columns.map((value) => ({ value, label: value }));
  const optional = [{ value: '', label: t.noColumn }, ...options];
  const send = async (values: MappingValues): Promise<void> => {
    setFaults([]);
    try {
      await show(await uploadStatement(file, askOf(values)));
    } catch (error) {
      const rows = error instanceof ApiError ? error.errors : [];
      if (!rows.some(({ field }) => field.startsWith('row.'))) throw error;
      setFaults(rows.map(({ message }) => message));
    }
  };
  return (
    <Section title={t.mapping}>
      <Faults title={t.faults} of={faults} />
      <Form<MappingValues> values={guessed(columns)} submit={t.send} guarded={false} send={send}>
        <TextField name="account" label={t.account} help={t.accountHelp} required maxLength={64} />
        <SelectField name="date_column" label={t.date} options={options} required />
        <SelectField
          name="day_format"
          label={t.dayFormat}
          options={DAY_FORMATS.map((value) => ({ value, label: value }))}
          required
        />
        <SelectField name="amount_column" label={t.amount} options={options} required />
        <SelectField
          name="decimal"
          label={t.decimal}
          options={DECIMALS.map((value) => ({ value, label: t.decimals[value] }))}
          required
        />
        <SelectField name="currency_column" label={t.currency} options={optional} />
        <SelectField
          name="reference_column"
          label={t.reference}
          help={t.referenceHelp}
          options={optional}
        />
        <SelectField name="text_column" label={t.text} help={t.textHelp} options={optional} />
        <SelectField name="payer_column" label={t.payer} options={optional} />
      </Form>
    </Section>
  );
}
