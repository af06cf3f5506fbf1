import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../../../api.ts';
import { countryName } from '../../../../../parts/countries.ts';
import { Facts } from '../../../../../parts/facts.tsx';
import { Failed } from '../../../../../parts/failed.tsx';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { SecretFile } from '../../../../../parts/secret-file.tsx';
import { State } from '../../../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../../../parts/texts.ts';
import { formatDay, When } from '../../../../../parts/time.tsx';
import { proof, type TaskPage } from '../../../../../queries/operator/task.ts';
import { subject } from '../../../../../texts/subject.ts';
import { useReasonWords } from '../../-shown/reason-words.ts';

const DOCUMENT = 'GET /api/admin/kyc/documents/{id}';

/** Who somebody says they are, with their papers. */
export function KycView({ detail: { kyc } }: { detail: TaskPage['detail'] }) {
  const t = useTexts(subject);
  const f = t.fields;
  const { language } = usePreferences();
  const whyNot = useReasonWords('kyc_review', kyc !== null && kyc.history.length > 0);
  if (kyc === null) return <Text c="dimmed">{t.gone}</Text>;
  return (
    <Stack gap="md">
      <Facts
        rows={[
          [f.legal_name, kyc.legal_name],
          [f.entity_type, wordOf(t.words, kyc.entity_type)],
          [f.country, countryName(kyc.country, language)],
          [
            f.document_number,
            // It was erased where there is none any more.
            kyc.document_number !== null && (
              <DocumentNumber key="n" id={kyc.id} masked={kyc.document_number} />
            ),
          ],
          [
            f.document_expires_on,
            kyc.document_expires_on === null ? null : formatDay(kyc.document_expires_on, language),
          ],
          [f.round, kyc.round],
          [f.submitted_at, <When key="w" at={kyc.submitted_at} />],
          [f.status, <State key="s" state={kyc.status} />],
        ]}
      />
      <Text size="xs" c="dimmed">
        {t.audited}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {kyc.documents.map(({ id, mime, bytes }, index) => (
          <Card key={id} withBorder padding="sm">
            <Stack gap={4}>
              <Text size="sm" fw={600}>
                {t.document(index + 1)}
              </Text>
              <SecretFile
                id={`kyc ${id}`}
                name={t.document(index + 1)}
                mime={mime}
                beside={<HeldAgainst kyc={kyc} />}
                fetchFile={async () => (await api(DOCUMENT).file(DOCUMENT, { path: { id } })).blob}
              />
              <Text size="xs" c="dimmed">
                {t.documentFile(mime, Math.ceil(bytes / 1024))}
              </Text>
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
      {kyc.history.length > 0 && (
        <Stack gap={4}>
          <Title order={2}>{t.earlierProofs}</Title>
          {kyc.history.map((round) => (
            <Text key={round.id} size="sm" component="div">
              {round.round}. {round.legal_name} <State state={round.status} />{' '}
              <When at={round.submitted_at} /> {whyNot(round.reasons)}
            </Text>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

/** What the paper has to say too, while it fills the window. */
function HeldAgainst({ kyc }: { kyc: NonNullable<TaskPage['detail']['kyc']> }) {
  const f = useTexts(subject).fields;
  const { language } = usePreferences();
  return (
    <Group gap="xs" mb="xs">
      <Text size="sm" fw={600}>
        {kyc.legal_name}
      </Text>
      <Text size="sm">{countryName(kyc.country, language)}</Text>
      {kyc.document_number !== null && <DocumentNumber id={kyc.id} masked={kyc.document_number} />}
      {kyc.document_expires_on !== null && (
        <Text size="sm">
          {f.document_expires_on} {formatDay(kyc.document_expires_on, language)}
        </Text>
      )}
    </Group>
  );
}

/** Masked until somebody asks for it: each look is on record. */
function DocumentNumber({ id, masked }: { id: number; masked: string }) {
  const t = useTexts(subject);
  const [isAsked, ask] = useState(false);
  const { data, error } = useQuery({ ...proof(id), enabled: isAsked });
  if (error !== null) return <Failed error={error} />;
  return (
    <Group gap="xs">
      <code>{data?.document_number ?? masked}</code>
      {data === undefined && (
        <Button size="compact-xs" variant="default" loading={isAsked} onClick={() => ask(true)}>
          {t.showNumber}
        </Button>
      )}
    </Group>
  );
}
