import { Button, Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useWrite } from '../api.ts';
import type { Realm } from '../session.ts';
import { email } from '../texts/email.ts';
import { emailNeed } from '../texts/email-need.ts';
import { ActionButton } from './action.tsx';
import { SendAgain } from './email-need.tsx';
import { EmailState } from './email-state.tsx';
import { emailOf } from './email.ts';
import { Facts } from './facts.tsx';
import { Loaded } from './loaded.tsx';
import { Section } from './section.tsx';
import { useTexts } from './texts.ts';

const ChangeDialog = lazy(async () => {
  const { EmailChangeDialog } = await import('./email-change-dialog.tsx');
  return { default: EmailChangeDialog };
});

/** The address of one's login, whether it is confirmed, and the way to another one. */
export function EmailSection({ realm }: { realm: Realm }) {
  const t = useTexts(email);
  const need = useTexts(emailNeed);
  const { profile, keep } = emailOf(realm);
  const keeping = useWrite(keep);
  const [isChanging, setChanging] = useState(false);
  return (
    <Loaded query={profile} height={120}>
      {({ email: address, email_confirmed_at: since, email_pending: pending }) => (
        <Section title={t.title} lead={realm === 'admin' ? t.operatorLead : t.lead}>
          <Facts
            rows={[
              [t.now, address],
              [t.state, <EmailState key="state" since={since} />],
              ...(pending === null ? [] : [[t.pending, pending] as const]),
            ]}
          />
          <Group gap="xs">
            <SendAgain
              realm={realm}
              refusal={since !== null && pending === null ? t.isConfirmed : null}
            />
            <Button
              size="compact-sm"
              variant="default"
              aria-haspopup="dialog"
              onClick={() => setChanging(true)}
            >
              {need.change}
            </Button>
            {pending !== null && (
              <ActionButton
                size="compact-sm"
                variant="default"
                action={{
                  label: t.keep,
                  route: `DELETE /api/${realm}/auth/email-change`,
                  confirm: { title: t.keep, body: t.keepBody(pending) },
                  run: async () => await keeping.mutateAsync({}),
                  done: t.kept,
                }}
              />
            )}
          </Group>
          {isChanging && (
            <Suspense>
              <ChangeDialog realm={realm} close={() => setChanging(false)} />
            </Suspense>
          )}
        </Section>
      )}
    </Loaded>
  );
}
