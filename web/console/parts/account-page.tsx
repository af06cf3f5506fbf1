import { Alert, Group, Stack, Text } from '@mantine/core';
import { read, queryClient, useWrite, write } from '../api.ts';
import { session } from '../session.ts';
import { account } from '../texts/account.ts';
import { ButtonLink } from './button-link.tsx';
import { EditForm, ifMatch } from './edit-form.tsx';
import { Facts } from './facts.tsx';
import { fixLink } from './fix-link.tsx';
import { PasswordField, TextField } from './fields.tsx';
import { Form } from './form.tsx';
import type { Owner } from './identity.ts';
import { Loaded } from './loaded.tsx';
import { OwnEmail } from './own-email.tsx';
import { Page } from './page.tsx';
import { Section } from './section.tsx';
import { State } from './state.tsx';
import { type Same, useTexts } from './texts.ts';
import { When } from './time.tsx';
import { told } from './toast.ts';

type Values = Record<
  | 'contact_name'
  | 'company_name'
  | 'mobile'
  | 'nickname'
  | 'industry'
  | 'billing_address'
  | 'tax_id'
  | 'site_url',
  string | null
>;

const profileOf = (realm: Owner) => read(`GET /api/${realm}/auth/profile`);

/** Who somebody is to us, and their password; publishers also say their web site. */
export function AccountPage({ realm }: { realm: Owner }) {
  const t = useTexts(account);
  const profile = profileOf(realm);
  const { mutateAsync } = useWrite(
    write(`PUT /api/${realm}/auth/profile`, [`GET /api/${realm}/auth/profile`]),
  );
  return (
    <Page title={t.title}>
      <Loaded query={profile} height={300}>
        {(row) => (
          <Section title={t.about}>
            {row.missing.length > 0 && (
              <Alert
                color={row.profile_completeness === 'none' ? 'yellow' : 'blue'}
                variant="light"
              >
                <Group gap="xs">
                  <Text size="sm">
                    {t.stillMissing(row.missing.map((item) => t.missing[item]))}
                  </Text>
                  {row.missing.includes('kyc') && fixLink(`/${realm}/kyc`, t.proveIdentity)}
                  {row.missing.includes('payout_account') &&
                    fixLink('/publisher/payouts/accounts/new', t.addPayoutAccount)}
                </Group>
              </Alert>
            )}
            <Facts
              rows={[
                [t.username, row.username],
                [t.email, <OwnEmail key="email" realm={realm} row={row} />],
                [t.completeness, t.complete[row.profile_completeness]],
                [t.identity, <Identity key="identity" realm={realm} state={row.kyc_status} />],
                [t.since, <When key="since" at={row.created_at} />],
                ...(row.role === 'ADMIN' ? [] : ofAccount(row, t)),
              ]}
            />
            {row.role !== 'ADMIN' && <Text size="sm">{t.accountIsAdmins}</Text>}
            <EditForm
              route={`PUT /api/${realm}/auth/profile`}
              row={row}
              valuesOf={valuesOf}
              reread={async () => await queryClient.fetchQuery({ ...profile, staleTime: 0 })}
              names={{ contact_name: t.contact, company_name: t.company, mobile: t.mobile }}
              save={async ({ site_url: siteUrl, ...values }, version) => {
                const whole =
                  realm === 'publisher'
                    ? { ...values, site_url: siteUrl === '' ? null : siteUrl }
                    : values;
                const body = row.role === 'ADMIN' ? whole : { nickname: values.nickname };
                await mutateAsync({ headers: ifMatch(version), body });
                told(t.saved);
              }}
            >
              {row.role === 'ADMIN' && (
                <>
                  <TextField name="contact_name" label={t.contact} autoComplete="name" />
                  <TextField name="company_name" label={t.company} autoComplete="organization" />
                  <TextField name="mobile" label={t.mobile} autoComplete="tel" />
                </>
              )}
              <TextField name="nickname" label={t.nickname} autoComplete="nickname" />
              {row.role === 'ADMIN' && (
                <>
                  <TextField name="industry" label={t.industry} />
                  <TextField
                    name="billing_address"
                    label={t.billingAddress}
                    help={t.billingHelp}
                    autoComplete="street-address"
                  />
                  <TextField name="tax_id" label={t.taxId} />
                </>
              )}
              {row.role === 'ADMIN' && realm === 'publisher' && (
                <TextField name="site_url" label={t.siteUrl} type="url" autoComplete="url" />
              )}
            </EditForm>
          </Section>
        )}
      </Loaded>
      <Password realm={realm} />
    </Page>
  );
}

/** What a member of another role reads: the account's, not the person's (interface 5.6). */
const ofAccount = (row: Partial<Values>, t: Same<(typeof account)['en']>): [string, string][] =>
  [
    [t.contact, row.contact_name] as const,
    [t.company, row.company_name] as const,
    [t.mobile, row.mobile] as const,
    [t.industry, row.industry] as const,
    [t.billingAddress, row.billing_address] as const,
    [t.taxId, row.tax_id] as const,
    [t.siteUrl, row.site_url] as const,
  ].flatMap(([label, value]) =>
    value === null || value === undefined || value === '' ? [] : [[label, value]],
  );

const valuesOf = (row: Partial<Values>): Values => ({
  contact_name: row.contact_name ?? null,
  company_name: row.company_name ?? null,
  mobile: row.mobile ?? null,
  nickname: row.nickname ?? null,
  industry: row.industry ?? null,
  billing_address: row.billing_address ?? null,
  tax_id: row.tax_id ?? null,
  site_url: row.site_url ?? null,
});

const Identity = ({ realm, state }: { realm: Owner; state: string }) => (
  <Group gap="xs">
    <State state={state} />
    <ButtonLink to={`/${realm}/kyc`} size="compact-sm" variant="default">
      {useTexts(account).toIdentity}
    </ButtonLink>
  </Group>
);

const EMPTY = { old_password: '', new_password: '', confirm_password: '' };

function Password({ realm }: { realm: Owner }) {
  const t = useTexts(account);
  const { mutateAsync } = useWrite(write(`POST /api/${realm}/auth/password`, []));
  return (
    <Section title={t.password} lead={<Text size="sm">{t.passwordLead}</Text>}>
      <Stack>
        <Form<typeof EMPTY>
          route={`POST /api/${realm}/auth/password`}
          values={EMPTY}
          submit={t.change}
          guarded={false}
          send={async (body) => {
            const { token } = await mutateAsync({ body });
            // The old token ended with the old password.
            session.begin(realm, token);
            told(t.changed);
          }}
        >
          <PasswordField
            name="old_password"
            label={t.old}
            autoComplete="current-password"
            required
          />
          <PasswordField
            name="new_password"
            label={t.new}
            help={t.passwordHelp}
            autoComplete="new-password"
            required
          />
          <PasswordField
            name="confirm_password"
            label={t.again}
            autoComplete="new-password"
            required
          />
        </Form>
      </Stack>
    </Section>
  );
}
