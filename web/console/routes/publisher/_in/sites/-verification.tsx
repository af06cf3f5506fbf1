import { Alert, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Site, SiteVerifyCode } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { CopyCode } from '../../../../parts/copy-code.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { PageTabs } from '../../../../parts/page-tabs.tsx';
import { Section } from '../../../../parts/section.tsx';
import { useSaid } from '../../../../parts/said.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { Since, When } from '../../../../parts/time.tsx';
import { proof, rounds, verify } from '../../../../queries/publisher/site.ts';
import { site } from '../../../../texts/site.ts';
import { useProofNames } from './-proof-names.ts';
import { VerificationRound } from './-verification-round.tsx';

type Method = SiteVerifyCode['methods'][number];

/** The proof that a site is its owner's: how to give it, and how the looking goes. */
export function Verification({ row, tab }: { row: Site; tab: Method['method'] | undefined }) {
  const t = useTexts(site);
  const isVerified = row.verify_status === 'VERIFIED';
  const [asked, setAsked] = useState<number>();
  const { data: known } = useQuery({
    ...rounds,
    enabled: row.verification?.status === 'RUNNING',
  });
  const running = known?.items.find(
    ({ subject, status }) => subject?.id === row.id && status === 'running',
  );
  const operationId = asked ?? running?.id;
  return (
    <Section title={isVerified ? t.verification : t.verifyTitle}>
      {isVerified && <Proven row={row} />}
      {row.verification?.status === 'FAILED' && operationId === undefined && (
        <Alert color="red" variant="light">
          {t.roundFailed}
        </Alert>
      )}
      {operationId !== undefined && !isVerified && (
        <VerificationRound id={operationId} row={row} method={row.verification?.method ?? null} />
      )}
      {(!isVerified || row.verify_misses > 0) && (
        <Stack gap="sm">
          <Text size="sm">{t.verifyLead}</Text>
          <Loaded query={proof(row.id)} height={200}>
            {({ methods }) => <Methods {...{ row, tab, methods }} onAsked={setAsked} />}
          </Loaded>
        </Stack>
      )}
    </Section>
  );
}

function Proven({ row }: { row: Site }) {
  const t = useTexts(site);
  const names = useProofNames(row);
  return (
    <>
      {row.verify_misses > 0 && (
        <Alert color="yellow" variant="light">
          {t.misses(row.verify_misses)}{' '}
          {row.verify_lapses_at !== null && (
            <>
              {t.lapsesAt} <Since at={row.verify_lapses_at} />.
            </>
          )}
        </Alert>
      )}
      <Facts
        rows={[
          [t.verifiedBy, row.verify_method === null ? null : names[row.verify_method]],
          [t.verifiedAt, <When key="at" at={row.verified_at} />],
        ]}
      />
      <Text size="sm" c="dimmed">
        {t.weekly}
      </Text>
    </>
  );
}

function Methods({
  row,
  tab,
  methods,
  onAsked,
}: {
  row: Site;
  tab: Method['method'] | undefined;
  methods: readonly Method[];
  onAsked: (operationId: number) => void;
}) {
  const t = useTexts(site);
  const said = useSaid();
  const { mutateAsync } = useWrite(verify);
  const tabs = methods.map(({ method }) => method);
  const first = row.verification?.method ?? tabs[0] ?? 'META';
  const current = tabs.find((method) => method === tab) ?? first;
  return (
    <PageTabs tabs={tabs} first={first} names={useProofNames(row)} current={current}>
      {methods.map(({ method, instruction, location, value }) => (
        <Tabs.Panel key={method} value={method}>
          <Stack gap="sm" maw="44rem">
            <Text size="sm">{said(instruction)}</Text>
            <CopyCode label={t.where} code={location} />
            <CopyCode label={t.whatToPut} code={value} />
            <div>
              <ActionButton
                action={{
                  label: t.check,
                  run: async () => {
                    const { operation } = await mutateAsync({
                      path: { id: row.id },
                      body: { method },
                    });
                    onAsked(operation.id);
                  },
                }}
              />
            </div>
          </Stack>
        </Tabs.Panel>
      ))}
    </PageTabs>
  );
}
