import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import type { Kyc, KycDocument } from '../../client/routes.ts';
import type { Ask } from '../../client/client.ts';
import { api, useWrite } from '../api.ts';
import { common } from '../texts/common.ts';
import { kyc } from '../texts/kyc.ts';
import { useCountryOptions } from './countries.ts';
import { DayField } from './day-fields.tsx';
import { SelectField, TextField } from './fields.tsx';
import { FileDrop } from './file-drop.tsx';
import { useFieldLabel } from './form-faults.tsx';
import { usePaperProblem } from './paper-problem.ts';
import { Form } from './form.tsx';
import { identityOf, type Owner } from './identity.ts';
import { useTexts } from './texts.ts';

type Body = Ask<`POST /api/${Owner}/kyc`>['body'];

interface Values {
  entity_type: 'PERSONAL' | 'BUSINESS';
  legal_name: string;
  country: string | null;
  document_number: string;
  document_expires_on: string | null;
  document_ids: number[];
}

const TYPES = ['PERSONAL', 'BUSINESS'] as const;
const ACCEPT = 'image/png,image/jpeg,image/webp,application/pdf';

/** What is asked for; what was sent before is there again, but for the number. */
export function IdentityForm({ realm, row }: { realm: Owner; row: Kyc }) {
  const t = useTexts(kyc);
  const { mutateAsync: submit } = useWrite(identityOf(realm).submit);
  const countries = useCountryOptions();
  return (
    <Form<Values>
      route={`POST /api/${realm}/kyc`}
      values={{
        entity_type: row.entity_type ?? 'PERSONAL',
        legal_name: row.legal_name ?? '',
        country: row.country,
        document_number: '',
        document_expires_on: row.document_expires_on,
        document_ids: [],
      }}
      submit={t.send}
      send={async (values) => await submit({ body: values as Body })}
    >
      {(form) => {
        const type = form.watch('entity_type');
        const isBusiness = type === 'BUSINESS';
        return (
          <>
            <SelectField
              name="entity_type"
              label={t.who}
              options={TYPES.map((value) => ({ value, label: t[value] }))}
              required
            />
            <TextField
              name="legal_name"
              label={isBusiness ? t.legalNameBusiness : t.legalName}
              autoComplete={isBusiness ? 'organization' : 'name'}
              required
            />
            <SelectField name="country" label={t.country} options={countries} required />
            <TextField
              name="document_number"
              label={isBusiness ? t.numberBusiness : t.number}
              help={row.round === null ? undefined : t.numberAgain}
              required
            />
            <DayField name="document_expires_on" label={t.expires} help={t.expiresHelp} />
            <Papers realm={realm} hint={isBusiness ? t.papersBUSINESS : t.papersPERSONAL} />
          </>
        );
      }}
    </Form>
  );
}

/** Uploaded at once, so that a refused file says so at itself. */
function Papers({ realm, hint }: { realm: Owner; hint: string }) {
  const t = useTexts(kyc);
  const { upload } = identityOf(realm);
  const problemOf = usePaperProblem();
  const { required } = useTexts(common);
  useFieldLabel('document_ids', t.papers);
  const { field, fieldState } = useController<Values, 'document_ids'>({
    name: 'document_ids',
    rules: { validate: (ids) => ids.length > 0 || required },
  });
  const [papers, setPapers] = useState<readonly (KycDocument & { name?: string })[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const show = (next: readonly KycDocument[]): void => {
    setPapers(next);
    field.onChange(next.map(({ id }) => id));
  };
  const take = async (files: readonly File[]): Promise<void> => {
    setBusy(true);
    setError(undefined);
    let next = papers;
    const faults: string[] = [];
    for (const file of files) {
      const body = new FormData();
      body.set('file', file);
      try {
        // One after the other: each that is refused is named, and the others are taken.
        // oxlint-disable-next-line no-await-in-loop
        const document = await api(upload).call(upload, { body });
        next = [...next.filter(({ id }) => id !== document.id), { ...document, name: file.name }];
        show(next);
      } catch (raised) {
        faults.push(t.notTaken(file.name, problemOf(raised as Error)));
      }
    }
    if (faults.length > 0) setError(faults.join(' '));
    setBusy(false);
  };
  const said = [fieldState.error?.message ?? '', error ?? ''].join(' ').trim();
  return (
    <Stack gap="xs">
      <FileDrop
        ref={field.ref}
        label={t.papers}
        required
        lead={t.papersLead}
        button={t.choose}
        hint={hint}
        accept={ACCEPT}
        many
        busy={isBusy ? t.uploading : null}
        error={said === '' ? undefined : said}
        onFiles={(files) => void take(files)}
      />
      {papers.map((paper) => (
        <Card key={paper.id} withBorder padding="xs">
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              {paper.name ?? `#${paper.id}`} · {t.kilobytes(Math.ceil(paper.bytes / 1_024))}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                show(papers.filter(({ id }) => id !== paper.id));
              }}
            >
              {t.remove}
            </Button>
          </Group>
        </Card>
      ))}
    </Stack>
  );
}
