import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Tracker, TrackerCode as Code } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { ActionButton } from '../../../parts/action.tsx';
import { CopyCode } from '../../../parts/copy-code.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Section } from '../../../parts/section.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
import { code, renewCode, secret } from '../../../queries/advertiser/tracker.ts';
import { trackerTexts } from '../../../texts/advertiser/tracker.ts';

/** First the code of this tracker's own way, then the other ways. */
export function TrackerCode({ row }: { row: Tracker }) {
  const t = useTexts(trackerTexts);
  const { mutateAsync } = useWrite(renewCode);
  return (
    <Stack>
      <Text size="sm">{t.codeLead[row.type]}</Text>
      <Loaded query={code(row.id)}>{(made) => <Codes type={row.type} made={made} />}</Loaded>
      <Group>
        <ActionButton
          variant="default"
          size="compact-sm"
          action={{
            label: t.regenerate,
            route: renewCode.route,
            confirm: { title: t.regenerateTitle, body: t.regenerateBody },
            run: async () => await mutateAsync({ path: { id: row.id } }),
            done: t.regenerated,
            danger: false,
          }}
        />
      </Group>
      <Secret id={row.id} />
    </Stack>
  );
}

function Codes({ type, made }: { type: Tracker['type']; made: Code }) {
  const t = useTexts(trackerTexts);
  const ways = {
    PIXEL: <CopyCode key="pixel" label={t.pixel} code={made.pixel} />,
    JS: <CopyCode key="script" label={t.script} code={made.script} />,
    POSTBACK: <CopyCode key="server" label={t.server} code={made.postback_url} />,
    IMPORT: <CopyCode key="url" label={t.conversionUrl} code={made.conversion_url} />,
  };
  const others = Object.entries(ways).filter(([way]) => way !== type);
  return (
    <>
      {ways[type]}
      <details>
        <summary>{t.other}</summary>
        <Stack mt="sm">{others.map(([, drawn]) => drawn)}</Stack>
      </details>
    </>
  );
}

/** Asked for only when somebody wants to see it. */
function Secret({ id }: { id: number }) {
  const t = useTexts(trackerTexts);
  const { open, close } = useMarks();
  const [isShown, setShown] = useState(false);
  const { data, error } = useQuery({ ...secret(id), enabled: isShown });
  return (
    <Section title={t.secret} lead={t.secretLead}>
      {error !== null && <Failed error={error} />}
      {data === undefined ? (
        <Group>
          <ActionButton
            action={{
              label: t.showSecret,
              route: 'GET /api/advertiser/trackers/{id}/postback-secret',
              run: async () => setShown(true),
            }}
            variant="default"
            size="compact-sm"
          />
        </Group>
      ) : (
        <>
          <CopyCode label={`${t.secret}${open}${data.algorithm}${close}`} code={data.secret} />
          <CopyCode label={t.signed} code={data.signed} />
        </>
      )}
    </Section>
  );
}
