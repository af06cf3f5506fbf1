import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Answer } from '../../client/client.ts';
import { useWrite } from '../api.ts';
import type { Realm } from '../session.ts';
import { security } from '../texts/security.ts';
import { ActionButton } from './action.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './fields.tsx';
import { Form } from './form.tsx';
import { passkeysWorkHere } from './passkeys.ts';
import { RefusableButton } from './permission.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Section } from './section.tsx';
import { securityOf } from './security.ts';
import { NewPasskey } from './security-passkey.tsx';
import { NewTotp } from './security-totp.tsx';
import { useTexts } from './texts.ts';
import { Since } from './time.tsx';
import { told } from './toast.ts';

type All = Answer<'GET /api/publisher/auth/factors'>;
type Factor = All['items'][number];
type Open = 'totp' | 'passkey' | undefined;

/** Second factors: those there are, and ways to more. */
export function Factors({ realm, factors }: { realm: Realm; factors: All }) {
  const t = useTexts(security);
  const [open, setOpen] = useState<Open>();
  const [codes, setCodes] = useState<readonly string[]>();
  const newCodes = useWrite(securityOf(realm).newCodes);
  const added = (made: readonly string[] | null): void => {
    setOpen(undefined);
    told(t.added);
    if (made !== null) setCodes(made);
  };
  const close = (): void => setOpen(undefined);
  const refusal = factors.passkeys_possible && passkeysWorkHere() ? null : t.noPasskeys;
  return (
    <Section title={t.factors} lead={t.factorsLead}>
      {factors.items.length === 0 ? (
        <Text size="sm">{t.none}</Text>
      ) : (
        <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
          {factors.items.map((factor) => (
            <One key={factor.id} realm={realm} factor={factor} />
          ))}
        </Stack>
      )}
      <Group gap="xs">
        <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen('totp')}>
          {t.addTotp}
        </Button>
        <RefusableButton
          variant="default"
          aria-haspopup="dialog"
          refusal={refusal}
          onClick={() => setOpen('passkey')}
        >
          {t.addPasskey}
        </RefusableButton>
      </Group>
      {refusal !== null && (
        <Text size="sm" c="dimmed">
          {refusal}
        </Text>
      )}
      {factors.items.length > 0 && (
        <Group gap="xs">
          <Text size="sm">{t.codesLeft(factors.recovery_codes_left)}</Text>
          <ActionButton
            size="compact-sm"
            variant="default"
            action={{
              label: t.newCodes,
              route: securityOf(realm).newCodes.route,
              confirm: { title: t.newCodes, body: t.newCodesBody },
              run: async () => setCodes((await newCodes.mutateAsync({})).recovery_codes),
            }}
          />
        </Group>
      )}
      {open === 'totp' && <NewTotp realm={realm} added={added} close={close} />}
      {open === 'passkey' && <NewPasskey realm={realm} added={added} close={close} />}
      {codes !== undefined && <RecoveryCodes codes={codes} close={() => setCodes(undefined)} />}
    </Section>
  );
}

function One({ realm, factor }: { realm: Realm; factor: Factor }) {
  const t = useTexts(security);
  const { remove, rename } = securityOf(realm);
  const removing = useWrite(remove);
  const renaming = useWrite(rename);
  const [isNaming, setNaming] = useState(false);
  const path = { id: factor.id };
  return (
    <Group component="li" justify="space-between" gap="xs">
      <div>
        <Text size="sm" fw={600}>
          {factor.name}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {t.kinds[factor.kind]} ·{' '}
          {factor.last_used_at === null ? (
            t.neverUsed
          ) : (
            <>
              {t.used} <Since at={factor.last_used_at} />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          aria-haspopup="dialog"
          onClick={() => setNaming(true)}
        >
          {t.rename(factor.name)}
        </Button>
        <ActionButton
          size="compact-sm"
          variant="default"
          action={{
            label: t.remove(factor.name),
            route: remove.route,
            confirm: { title: t.remove(factor.name), body: t.removeBody },
            run: async () => await removing.mutateAsync({ path }),
            done: t.removed,
            danger: true,
          }}
        />
      </Group>
      {isNaming && (
        <Dialog onClose={() => setNaming(false)} title={t.rename(factor.name)} centered>
          <Form<{ name: string }>
            route={rename.route}
            values={{ name: factor.name }}
            guarded={false}
            send={async (body) => {
              await renaming.mutateAsync({ path, body });
              setNaming(false);
            }}
          >
            <TextField name="name" label={t.name} required maxLength={60} />
          </Form>
        </Dialog>
      )}
    </Group>
  );
}
