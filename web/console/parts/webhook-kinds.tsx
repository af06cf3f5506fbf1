import { Checkbox, Radio, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { notification } from '../texts/notification.ts';
import { webhookTexts } from '../texts/webhook.ts';
import { useField } from './fields.tsx';
import type { Owner } from './identity.ts';
import { useTexts, wordOf } from './texts.ts';
import { kindsOfRealm } from './notification-kinds.ts';

/** Everything, or some of it: the list of all that there is stands there for those who choose. */
export function KindsField({ realm }: { realm: Owner }) {
  const t = useTexts(webhookTexts);
  const n = useTexts(notification);
  const all: readonly string[] = kindsOfRealm(realm);
  const { field, own } = useField({
    name: 'kinds',
    label: t.kinds,
    help: t.kindsHelp,
    required: true,
  });
  const kinds = (field.value as readonly string[] | null | undefined) ?? [];
  const [isAll, setAll] = useState(kinds.length === all.length);
  const [some, setSome] = useState(isAll ? [] : kinds);
  const set = (next: readonly string[]): void => field.onChange(next.length === 0 ? null : next);
  const choose = (way: string): void => {
    setAll(way === 'all');
    set(way === 'all' ? all : some);
  };
  const { label, description, withAsterisk, error, ref, onBlur } = own;
  return (
    <Radio.Group
      {...{ label, description, withAsterisk }}
      value={isAll ? 'all' : 'some'}
      onChange={choose}
    >
      <Stack gap="xs" my="xs">
        <Radio value="all" label={t.all} />
        <Radio value="some" label={t.only} />
      </Stack>
      {!isAll && (
        <Checkbox.Group
          aria-label={t.only}
          {...{ error, onBlur }}
          value={[...some]}
          onChange={(next) => {
            setSome(next);
            set(next);
          }}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            {all.map((kind, index) => (
              <Checkbox
                key={kind}
                {...(index === 0 ? { ref } : {})}
                value={kind}
                label={wordOf(n.kinds, kind)}
              />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </Radio.Group>
  );
}
