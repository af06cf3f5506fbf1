import { Badge, Group, Stack, Text } from '@mantine/core';
import { deviceWords } from '../../../domain/device-words.ts';
import { useWrite } from '../api.ts';
import type { Realm } from '../session.ts';
import { security } from '../texts/security.ts';
import { ActionButton } from './action.tsx';
import { Loaded } from './loaded.tsx';
import { usePreferences } from './preferences.tsx';
import { Section } from './section.tsx';
import { securityOf } from './security.ts';
import { useMarks, useTexts } from './texts.ts';
import { Since } from './time.tsx';

/** Where one is logged in, and the way to end each. */
export function Sessions({ realm }: { realm: Realm }) {
  const t = useTexts(security);
  const { comma } = useMarks();
  const { language } = usePreferences();
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
              <Group key={each.id} component="li" justify="space-between" gap="xs">
                <div>
                  <Text size="sm" fw={500} component="div">
                    {deviceWords(each.device, language)}{' '}
                    {each.current && <Badge size="sm">{t.current}</Badge>}
                  </Text>
                  <Text size="xs" c="dimmed" component="div">
                    {each.network}
                    {each.country === null ? '' : ` · ${each.country}`} · {t.seen}{' '}
                    <Since at={each.last_seen_at} />
                  </Text>
                </div>
                <ActionButton
                  size="compact-sm"
                  variant="default"
                  action={{
                    label: t.end,
                    of: `${deviceWords(each.device, language)}${comma}${each.network}`,
                    route: endSession.route,
                    refusal: each.current ? t.logOutInstead : null,
                    run: async () => await one.mutateAsync({ path: { id: each.id } }),
                    done: t.ended,
                  }}
                />
              </Group>
            ))}
          </Stack>
        </Section>
      )}
    </Loaded>
  );
}
