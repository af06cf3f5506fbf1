import { Alert, SimpleGrid, Tabs, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { AdvertiserProfile } from '../../../../client/routes.ts';
import { useWrite } from '../../../api.ts';
import { EditForm, ifMatch } from '../../../parts/edit-form.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { PasswordField, TextField } from '../../../parts/fields.tsx';
import { Form } from '../../../parts/form.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Page } from '../../../parts/page.tsx';
import { oneOf, stated } from '../../../parts/search.ts';
import { State } from '../../../parts/state.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { When } from '../../../parts/time.tsx';
import { told } from '../../../parts/toast.ts';
import { changePassword, profile, saveProfile } from '../../../queries/advertiser/account.ts';
import { session } from '../../../session.ts';
import { accountTexts } from '../../../texts/advertiser/account.ts';
import { titles } from '../../../texts/titles.ts';
import { IdentityTab } from '../-parts/identity.tsx';

const TABS = ['profile', 'identity', 'password'] as const;

export const Route = createFileRoute('/advertiser/_in/profile')({
  validateSearch: (raw: Record<string, unknown>) => stated({ tab: oneOf(TABS, raw['tab']) }),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(profile);
  },
  staticData: { title: (language) => titles[language].account },
  component: Profile,
});

function Profile() {
  const t = useTexts(accountTexts);
  const { tab = 'profile' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Page title={t.title}>
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: { tab: oneOf(TABS, next) ?? 'profile' } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t.tabs[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="profile">
          <Loaded query={profile}>{(who) => <Fields who={who} />}</Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="identity">
          <IdentityTab />
        </Tabs.Panel>
        <Tabs.Panel value="password">
          <Password />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

const valuesOf = (who: AdvertiserProfile) => ({
  contact_name: who.contact_name ?? '',
  company_name: who.company_name ?? '',
  mobile: who.mobile ?? '',
  industry: who.industry ?? '',
  nickname: who.nickname,
});

function Fields({ who }: { who: AdvertiserProfile }) {
  const t = useTexts(accountTexts);
  const queries = useQueryClient();
  const { mutateAsync } = useWrite(saveProfile);
  const missing = who.missing.filter((item) => item !== 'payout_account');
  return (
    <>
      <Alert
        color={who.profile_completeness === 'none' ? 'yellow' : 'teal'}
        variant="light"
        title={t.completeness[who.profile_completeness]}
        mb="md"
      >
        {missing.length > 0 && (
          <Text size="sm">
            {t.stillMissing}: {missing.map((item) => t.missing[item]).join(', ')}
          </Text>
        )}
      </Alert>
      <Facts
        rows={[
          [t.username, who.username],
          [t.email, who.email],
          [t.kycTitle, <State key="kyc" state={who.kyc_status} />],
          [t.since, <When key="since" at={who.created_at} />],
        ]}
      />
      <EditForm<ReturnType<typeof valuesOf>, AdvertiserProfile>
        key={who.version}
        row={who}
        valuesOf={valuesOf}
        names={{
          contact_name: t.contact,
          company_name: t.company,
          mobile: t.mobile,
          industry: t.industry,
          nickname: t.nickname,
        }}
        reread={async () => await queries.fetchQuery({ ...profile, staleTime: 0 })}
        save={async (body, version) => {
          await mutateAsync({ headers: ifMatch(version), body });
          told(t.saved);
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="md">
          <TextField name="contact_name" label={t.contact} autoComplete="name" />
          <TextField name="company_name" label={t.company} autoComplete="organization" />
          <TextField name="mobile" label={t.mobile} autoComplete="tel" />
          <TextField name="industry" label={t.industry} />
          <TextField name="nickname" label={t.nickname} />
        </SimpleGrid>
      </EditForm>
    </>
  );
}

interface Passwords {
  old_password: string;
  new_password: string;
  confirm_password: string;
}

function Password() {
  const t = useTexts(accountTexts);
  const { mutateAsync, data } = useWrite(changePassword);
  return (
    <Form<Passwords>
      key={data?.token ?? 'first'}
      values={{ old_password: '', new_password: '', confirm_password: '' }}
      guarded={false}
      send={async (body) => {
        const { token } = await mutateAsync({ body });
        session.begin('advertiser', token);
        told(t.passwordDone);
      }}
    >
      <PasswordField
        name="old_password"
        label={t.oldPassword}
        autoComplete="current-password"
        required
      />
      <PasswordField
        name="new_password"
        label={t.newPassword}
        help={t.passwordHelp}
        autoComplete="new-password"
        required
      />
      <PasswordField
        name="confirm_password"
        label={t.repeat}
        autoComplete="new-password"
        required
        rules={{
          validate: (value, all) => value === (all as Passwords).new_password || t.different,
        }}
      />
    </Form>
  );
}
