import { ActionIcon, Alert, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import type { Kyc, KycDocument } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { maySendPapers } from '../../../may/kyc.ts';
import { useCountryOptions } from '../../../parts/countries.ts';
import { Facts } from '../../../parts/facts.tsx';
import { DayField, SelectField, TextField } from '../../../parts/fields.tsx';
import { FileDrop } from '../../../parts/file-drop.tsx';
import { Form } from '../../../parts/form.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { told } from '../../../parts/toast.ts';
import { state, submit, upload } from '../../../queries/advertiser/kyc.ts';
import { accountTexts } from '../../../texts/advertiser/account.ts';
import { ReviewReasons } from './review-reasons.tsx';

/** How the proof of identity stands, and the form while papers can be sent. */
export function IdentityTab() {
  return <Loaded query={state}>{(kyc) => <Identity kyc={kyc} />}</Loaded>;
}

const COLOURS = {
  none: 'gray',
  pending: 'blue',
  approved: 'teal',
  rejected: 'red',
  expired: 'yellow',
} as const;

function Identity({ kyc }: { kyc: Kyc }) {
  const t = useTexts(accountTexts);
  const { kyc_status: status } = kyc;
  const reasons = kyc.reasons.map(({ code, field, note }) => ({
    code,
    ...(field === null ? {} : { field }),
    ...(note === null ? {} : { note }),
  }));
  return (
    <Stack>
      <Alert color={COLOURS[status]} variant="light" title={<State state={status} />}>
        <Text size="sm">{t.kycWords[status]}</Text>
      </Alert>
      <ReviewReasons of="kyc" reasons={reasons} />
      {kyc.legal_name !== null && (
        <Facts
          rows={[
            [t.legalName, kyc.legal_name],
            [t.number, kyc.document_number],
            [t.submitted, <When key="submitted" at={kyc.submitted_at} />],
            [t.decided, <When key="decided" at={kyc.decided_at} />],
            [t.until, <When key="until" at={kyc.expires_at} />],
            [t.documents, kyc.documents.map(({ id, mime }) => t.documentName(id, mime)).join(', ')],
          ]}
        />
      )}
      {maySendPapers(kyc) && <Papers kyc={kyc} />}
    </Stack>
  );
}

interface Values {
  entity_type: 'PERSONAL' | 'BUSINESS';
  legal_name: string;
  country: string | null;
  document_number: string;
  document_expires_on: string | null;
  document_ids: readonly KycDocument[];
}

function Papers({ kyc }: { kyc: Kyc }) {
  const t = useTexts(accountTexts);
  const countries = useCountryOptions();
  const { mutateAsync } = useWrite(submit);
  return (
    <Form<Values>
      route={submit.route}
      values={{
        entity_type: kyc.entity_type ?? 'BUSINESS',
        legal_name: kyc.legal_name ?? '',
        country: kyc.country,
        document_number: '',
        document_expires_on: null,
        document_ids: [],
      }}
      submit={kyc.kyc_status === 'none' ? t.send : t.again}
      send={async ({ document_ids: documents, document_expires_on: until, ...values }) => {
        const body = {
          ...values,
          country: values.country as 'AD',
          document_ids: documents.map(({ id }) => id),
          ...(until === null ? {} : { document_expires_on: until }),
        };
        await mutateAsync({ body });
        told(t.sent);
      }}
    >
      <EntityField />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField name="legal_name" label={t.legalName} required />
        <SelectField name="country" label={t.country} options={countries} required />
        <TextField name="document_number" label={t.number} required />
        <DayField name="document_expires_on" label={t.expires} />
      </SimpleGrid>
      <DocumentsField />
    </Form>
  );
}

function EntityField() {
  const t = useTexts(accountTexts);
  const { field } = useController({ name: 'entity_type' });
  return (
    <Radio.Group label={t.entity} value={field.value as string} onChange={field.onChange}>
      <Group mt={4}>
        <Radio value="BUSINESS" label={t.BUSINESS} />
        <Radio value="PERSONAL" label={t.PERSONAL} />
      </Group>
    </Radio.Group>
  );
}

function DocumentsField() {
  const t = useTexts(accountTexts);
  const { field, fieldState } = useController({
    name: 'document_ids',
    rules: { validate: (value: unknown[]) => value.length > 0 || t.documentsNeeded },
  });
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const documents = field.value as readonly KycDocument[];
  const take = (files: readonly File[]): void => {
    setBusy(true);
    setFault(undefined);
    Promise.all(files.map(upload))
      .then((made) => {
        const ids = new Set(documents.map(({ id }) => id));
        field.onChange([...documents, ...made.filter(({ id }) => !ids.has(id))]);
      })
      .catch((error: unknown) => setFault((error as Error).message))
      .finally(() => setBusy(false));
  };
  return (
    <Stack gap="xs">
      <FileDrop
        label={t.documents}
        lead={t.documentsDrop}
        button={t.choose}
        hint={t.documentsHint}
        accept="image/*,application/pdf"
        many
        busy={busy ? t.uploading : null}
        error={fault ?? fieldState.error?.message}
        route={submit.route}
        onFiles={take}
      />
      {documents.map(({ id, mime }) => (
        <Group key={id} gap="xs">
          <Text size="sm">{t.documentName(id, mime)}</Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t.remove(id)}
            onClick={() => field.onChange(documents.filter((each) => each.id !== id))}
          >
            <span aria-hidden>✕</span>
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}
