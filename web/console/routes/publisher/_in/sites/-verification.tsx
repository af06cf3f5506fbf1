import { Alert, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Site, SiteVerifyCode } from '../../../../../client/routes.ts';
import { useWrite } from '../../../../api.ts';
import { ActionButton } from '../../../../parts/action.tsx';
import { CopyCode } from '../../../../parts/copy-code.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { Loaded } from '../../../../parts/loaded.tsx';
import { Section } from '../../../../parts/section.tsx';
import { useSaid } from '../../../../parts/said.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { Since, When } from '../../../../parts/time.tsx';
import { proof, rounds, verify } from '../../../../queries/publisher/site.ts';
import { site } from '../../../../texts/site.ts';
import { VerificationRound } from './-verification-round.tsx';

type Method = SiteVerifyCode['methods'][number];

/** The proof that a site is its owner's: how to give it, and how the looking goes. */
export function Verification({ row }: { row: Site }) {
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
        <VerificationRound id={operationId} method={row.verification?.method ?? null} />
      )}
      {(!isVerified || row.verify_misses > 0) && (
        <Stack gap="sm">
          <Text size="sm">{t.verifyLead}</Text>
          <Loaded query={proof(row.id)} height={200}>
            {({ methods }) => <Methods row={row} methods={methods} onAsked={setAsked} />}
          </Loaded>
        </Stack>
      )}
    </Section>
  );
}

function Proven({ row }: { row: Site }) {
  const t = useTexts(site);
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
          [t.verifiedBy, row.verify_method === null ? null : t[row.verify_method]],
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
  methods,
  onAsked,
}: {
  row: Site;
  methods: readonly Method[];
  onAsked: (operationId: number) => void;
}) {
  const t = useTexts(site);
  const said = useSaid();
  const { mutateAsync } = useWrite(verify);
  const first = row.verification?.method ?? methods[0]?.method ?? null;
  return (
    <Tabs defaultValue={first} keepMounted={false}>
      <Tabs.List>
        {methods.map(({ method }) => (
          <Tabs.Tab key={method} value={method}>
            {t[method]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {methods.map(({ method, instruction, location, value }) => (
        <Tabs.Panel key={method} value={method} pt="sm">
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
    </Tabs>
  );
}
