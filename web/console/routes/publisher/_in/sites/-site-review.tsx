import { Alert, Group, Text } from '@mantine/core';
import type { Site } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { maySubmit } from '../../../../may/placement.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { Appeal } from '../../../../parts/appeal.tsx';
import { ReviewReasons } from '../../../../parts/review-reasons.tsx';
import { Section } from '../../../../parts/section.tsx';
import { State } from '../../../../parts/state.tsx';
import { type Same, useTexts } from '../../../../parts/texts.ts';
import { appeal, submit } from '../../../../queries/publisher/site.ts';
import { site } from '../../../../texts/site.ts';

/** What reviewers think of a site, and what its owner can do about it. */
export function SiteReview({ row }: { row: Site }) {
  const t = useTexts(site);
  const { mutateAsync } = useWrite(submit);
  const appealing = useWrite(appeal);
  const refusal = maySubmit(row);
  const submission = (
    <ActionButton
      size="compact-sm"
      variant={refusal === null ? 'filled' : 'default'}
      action={{
        label: t.submit,
        refusal: refusal === null ? null : t.refusals[refusal],
        run: async () => await mutateAsync({ path: { id: row.id } }),
        done: t.submitted,
      }}
    />
  );
  return (
    <Section
      title={t.reviewTitle}
      beside={
        <Group gap="xs">
          <State state={row.audit_status} />
          {submission}
        </Group>
      }
    >
      {row.audit_status === 'SUSPENDED' ? (
        <Alert color="red" variant="light">
          {t.reviewSuspended}
        </Alert>
      ) : (
        <Text size="sm">{wordsOf(row, t)}</Text>
      )}
      <ReviewReasons
        realm="publisher"
        subject="site"
        reasons={row.audit_reasons}
        fields={{ domain: t.domain, url: t.url, name: t.name, verify_status: t.verification }}
      />
      <Appeal
        row={row}
        route={appeal.route}
        send={async (text) => await appealing.mutateAsync({ path: { id: row.id }, body: { text } })}
      />
    </Section>
  );
}

function wordsOf(row: Site, t: Same<(typeof site)['en']>): string {
  if (row.audit_status === 'REJECTED') return t.reviewBack;
  return row.verify_status === 'VERIFIED' ? t.reviewRuns : t.reviewWaits;
}
