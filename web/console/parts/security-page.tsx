import { Alert } from '@mantine/core';
import type { Realm } from '../session.ts';
import { security } from '../texts/security.ts';
import { EmailSection } from './email-section.tsx';
import { Loaded } from './loaded.tsx';
import { Page } from './page.tsx';
import { securityOf } from './security.ts';
import { Factors } from './security-factors.tsx';
import { Sessions } from './security-sessions.tsx';
import { useTexts } from './texts.ts';

/** One's own login: second factors, recovery codes, and where one is logged in. */
export function SecurityPage({ realm }: { realm: Realm }) {
  const t = useTexts(security);
  return (
    <Page title={t.title} lead={t.lead}>
      <EmailSection realm={realm} />
      <Loaded query={securityOf(realm).factors} height={200}>
        {(factors) => (
          <>
            {factors.is_duty && factors.items.length === 0 && (
              <Alert color="yellow" role="note">
                {t.duty}
              </Alert>
            )}
            <Factors realm={realm} factors={factors} />
          </>
        )}
      </Loaded>
      <Sessions realm={realm} />
    </Page>
  );
}
