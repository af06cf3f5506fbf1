import { createFileRoute } from '@tanstack/react-router';
import { useWrite } from '../../../../../api.ts';
import { useCountryOptions } from '../../../../../parts/countries.ts';
import { SelectField, SwitchField, TextField } from '../../../../../parts/fields.tsx';
import { Form } from '../../../../../parts/form.tsx';
import { Page } from '../../../../../parts/page.tsx';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { type Same, useTexts } from '../../../../../parts/texts.ts';
import { relative } from '../../../../../parts/time.tsx';
import { told } from '../../../../../parts/toast.ts';
import { addCard } from '../../../../../queries/publisher/withdrawal.ts';
import { withdrawal } from '../../../../../texts/withdrawal.ts';
import { titles } from '../../../../../texts/titles.ts';
import { useAccountLead } from './-account-wait.ts';
import { OtherName } from './-other-name.tsx';
import { type BankNumber, numbersOf } from './-bank-numbers.ts';

type Words = Same<(typeof withdrawal)['en']>;

interface Values extends Record<BankNumber, string> {
  account_holder: string;
  account_type: 'PERSONAL' | 'BUSINESS';
  country: string | null;
  currency: string;
  bank_name: string;
  branch_name: string;
  is_default: boolean;
}

const EMPTY: Values = {
  account_holder: '',
  account_type: 'PERSONAL',
  country: null,
  currency: 'USD',
  bank_name: '',
  branch_name: '',
  iban: '',
  account_number: '',
  routing_number: '',
  sort_code: '',
  cnaps_code: '',
  swift_bic: '',
  is_default: false,
};

export const Route = createFileRoute('/publisher/_in/payouts/accounts/new')({
  staticData: { title: (language) => titles[language].withdrawalAddAccount },
  component: NewAccount,
});

function NewAccount() {
  const t = useTexts(withdrawal);
  const { language } = usePreferences();
  const navigate = Route.useNavigate();
  const { mutateAsync } = useWrite(addCard);
  return (
    <Page
      title={t.addAccount}
      lead={useAccountLead()}
      crumbs={[
        { text: t.title, to: '/publisher/payouts' },
        { text: t.accounts, to: '/publisher/payouts/accounts' },
      ]}
    >
      <Form<Values>
        route="POST /api/publisher/withdrawals/bank-cards"
        values={EMPTY}
        submit={t.addAccount}
        send={async (values) => {
          const { usable_from: from } = await mutateAsync({ body: askOf(values) });
          told(t.added(relative(from, language)));
          await navigate({ to: '/publisher/payouts/accounts', ignoreBlocker: true });
        }}
      >
        {(form) => <Fields country={form.watch('country')} />}
      </Form>
    </Page>
  );
}

/** The numbers of its country, and of the rest what was written. */
function askOf({ country, is_default: isDefault, ...values }: Values) {
  const names = new Set(numbersOf(country).map(({ name }) => name));
  const numbers = Object.fromEntries([...names].map((name) => [name, orNull(values[name])]));
  return {
    account_holder: values.account_holder,
    account_type: values.account_type,
    country: country ?? '',
    currency: values.currency,
    bank_name: orNull(values.bank_name),
    branch_name: orNull(values.branch_name),
    is_default: isDefault,
    ...numbers,
  };
}

const orNull = (text: string): string | null => (text === '' ? null : text);

const labelsOf = (t: Words): Record<BankNumber, string> => ({
  iban: t.iban,
  account_number: t.accountNumber,
  routing_number: t.routing,
  sort_code: t.sortCode,
  cnaps_code: t.cnaps,
  swift_bic: t.swift,
});

function Fields({ country }: { country: string | null }) {
  const t = useTexts(withdrawal);
  const countries = useCountryOptions();
  const labels = labelsOf(t);
  return (
    <>
      <SelectField name="country" label={t.country} options={countries} required />
      <TextField
        name="account_holder"
        label={t.holder}
        help={t.holderHelp}
        autoComplete="name"
        required
      />
      <OtherName />
      <SelectField
        name="account_type"
        label={t.type}
        options={(['PERSONAL', 'BUSINESS'] as const).map((value) => ({
          value,
          label: t.types[value],
        }))}
      />
      {numbersOf(country).map(({ name, needed }) => (
        <TextField key={name} name={name} label={labels[name]} required={needed} />
      ))}
      <SelectField name="currency" label={t.currency} options={useCurrencies()} required />
      <TextField name="bank_name" label={t.bankName} />
      <TextField name="branch_name" label={t.branchName} />
      <SwitchField name="is_default" label={t.makeDefault} />
    </>
  );
}

function useCurrencies() {
  const { language } = usePreferences();
  const names = new Intl.DisplayNames(language, { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((value) => ({
    value,
    label: `${value} · ${names.of(value) ?? value}`,
  }));
}
