import { useWrite } from '../api.ts';
import { emailNeed } from '../texts/email-need.ts';
import { ActionButton } from './action.tsx';
import { ButtonLink } from './button-link.tsx';
import { emailOf, type LoginEmail } from './email.ts';
import type { Owner } from './identity.ts';
import { useTexts } from './texts.ts';

/** What an address asks of its person, as a reason on their home; none when it is confirmed. */
export function useEmailNeed(realm: Owner, who: LoginEmail | undefined) {
  const t = useTexts(emailNeed);
  if (who === undefined) return [];
  if (who.email_pending === null && who.email_confirmed_at !== null) return [];
  const text = who.email_pending === null ? t.need(who.email) : t.needChange(who.email_pending);
  return [{ key: 'email', text, fix: <Ways realm={realm} /> }];
}

function Ways({ realm }: { realm: Owner }) {
  const t = useTexts(emailNeed);
  return (
    <>
      <SendAgain realm={realm} />{' '}
      <ButtonLink to={`/${realm}/security`} size="compact-sm" variant="default">
        {t.change}
      </ButtonLink>
    </>
  );
}

/** Once a minute, which the refusal says. */
export function SendAgain({ realm, refusal }: { realm: 'admin' | Owner; refusal?: string | null }) {
  const t = useTexts(emailNeed);
  const { mutateAsync } = useWrite(emailOf(realm).sendAgain);
  return (
    <ActionButton
      size="compact-sm"
      variant="default"
      action={{
        label: t.sendAgain,
        // Everybody's own, whatever they may do in the account.
        route: `POST /api/${realm}/auth/email-confirmation`,
        refusal,
        run: async () => await mutateAsync({}),
        done: t.sent,
      }}
    />
  );
}
