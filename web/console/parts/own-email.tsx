import { Group } from '@mantine/core';
import { FOLDERS, type Realm } from '../session.ts';
import { emailNeed } from '../texts/email-need.ts';
import { ButtonLink } from './button-link.tsx';
import { EmailShown } from './email-shown.tsx';
import { EmailState } from './email-state.tsx';
import type { LoginEmail } from './email.ts';
import { useTexts } from './texts.ts';

/** The address of one's own login on a profile: whether it is confirmed, and the way to another. */
export const OwnEmail = ({ realm, row }: { realm: Realm; row: LoginEmail }) => (
  <Group gap="xs">
    <span style={{ overflowWrap: 'anywhere' }}>
      <EmailShown email={row.email} />
    </span>
    <EmailState since={row.email_confirmed_at} />
    <ButtonLink to={`/${FOLDERS[realm]}/security`} size="compact-sm" variant="default">
      {useTexts(emailNeed).change}
    </ButtonLink>
  </Group>
);
