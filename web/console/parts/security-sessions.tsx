import { Badge, Group, Stack, Text } from '@mantine/core';
import { deviceWords, isKnownDevice } from '../../../domain/device-words.ts';
import { useWrite } from '../api.ts';
import type { Realm } from '../session.ts';
import { security } from '../texts/security.ts';
import { ActionButton } from './action.tsx';
import { Loaded } from './loaded.tsx';
import { usePreferences } from './preferences.tsx';
import { Section } from './section.tsx';
import { securityOf } from './security.ts';
import { useMarks, useTexts } from './texts.ts';
import { Since, When } from './time.tsx';

/** Where one is logged in, and the way to end each. */
export function Sessions({ realm }: { realm: Realm }) {
  const t = useTexts(security);
  const { sessions, endOthers, endSession } = securityOf(realm);
  const others = useWrite(endOthers);
  const one = useWrite(endSession);
  return (
    <Loaded query={sessions} height={160}>
      {({ items }) => (
        <Section
          title={t.sessions}
          lead={t.sessionsLead}
          beside={
            <ActionButton
              variant="default"
              action={{
                label: t.endOthers,
                route: endOthers.route,
                refusal: items.some(({ current }) => !current) ? null : t.onlyThis,
                confirm: { title: t.endOthersTitle, body: t.endOthersBody },
                run: async () => await others.mutateAsync({}),
                done: t.ended,
              }}
            />
          }
        >
          <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
            {items.map((each) => (
              <OneSession
                key={each.id}
                session={each}
                route={endSession.route}
                end={async () => await one.mutateAsync({ path: { id: each.id } })}
              />
            ))}
          </Stack>
        </Section>
      )}
    </Loaded>
  );
}

interface Session {
  device: string;
  network: string;
  country: string | null;
  created_at: string;
  last_seen_at: string;
  current: boolean;
}

/** Named by its device; where nothing is known of that, by its network: else all of them would be called alike. */
function OneSession(props: { session: Session; route: string; end: () => Promise<unknown> }) {
  const {
    device,
    network,
    country,
    created_at: since,
    last_seen_at: seen,
    current,
  } = props.session;
  const t = useTexts(security);
  const { comma } = useMarks();
  const { language } = usePreferences();
  const words = deviceWords(device, language);
  const [name, other] = isKnownDevice(device) ? [words, network] : [t.from(network), words];
  return (
    <Group component="li" justify="space-between" gap="xs" wrap="nowrap">
      <div style={{ flex: '1 1 0', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600} component="div">
          {name} {current && <Badge size="sm">{t.current}</Badge>}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {[other, ...(country === null ? [] : [country])].join(' · ')} · {t.loggedIn}{' '}
          <When at={since} /> · {t.seen} <Since at={seen} />
        </Text>
      </div>
      <ActionButton
        size="compact-sm"
        variant="default"
        action={{
          label: t.end,
          of: `${name}${comma}${other}`,
          route: props.route,
          refusal: current ? t.logOutInstead : null,
          run: props.end,
          done: t.ended,
        }}
      />
    </Group>
  );
}
