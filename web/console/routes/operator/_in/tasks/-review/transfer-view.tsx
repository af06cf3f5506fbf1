import { Stack, Text, Title } from '@mantine/core';
import { Words } from '../../../../../parts/appeal.tsx';
import { Facts } from '../../../../../parts/facts.tsx';
import { useMarks, useTexts, wordOf } from '../../../../../parts/texts.ts';
import { When } from '../../../../../parts/time.tsx';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { claim } from '../../../../../texts/claim.ts';

/** Whose a domain is that two accounts claim: what each proves, and what the holder says. */
export function TransferView({ detail: { transfer } }: { detail: TaskPage['detail'] }) {
  const t = useTexts(claim);
  const marks = useMarks();
  if (transfer === null) return null;
  return (
    <Stack gap="md" mb="lg">
      <Title order={2}>
        {t.transfer}
        {marks.colon}
        {transfer.domain}
      </Title>
      <Text size="sm">{t.approveHint}</Text>
      <Facts
        rows={[
          [
            t.claimant,
            `${transfer.claimant_name}${marks.open}${transfer.claimant_id}${marks.close}`,
          ],
          [
            t.claimantProof,
            `${transfer.method}${marks.colon}${wordOf(t.outcomes, transfer.claimant_outcome)}`,
          ],
          [
            t.holder,
            `${transfer.holder_name}${marks.open}${transfer.holder_id}${marks.close}${marks.comma}${transfer.holder_domain ?? ''}`,
          ],
          [t.holderSince, <When key="since" at={transfer.holder_since} />],
          [t.holderProof, wordOf(t.outcomes, transfer.holder_outcome)],
          [t.due, <When key="due" at={transfer.due_at} />],
        ]}
      />
      {transfer.objection !== null && (
        <div>
          <Text size="sm" fw={600}>
            {t.objection}
          </Text>
          <Words text={transfer.objection} />
        </div>
      )}
    </Stack>
  );
}
