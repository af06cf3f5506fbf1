import { Fragment, type ReactNode } from 'react';
import { countryName } from '../../../../parts/countries.ts';
import { formatMoney } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { formatDay } from '../../../../parts/time.tsx';
import type { ApprovalPage } from '../../../../queries/operator/approval.ts';
import { approval } from '../../../../texts/approval.ts';
import { approvalValues } from '../../../../texts/approval-values.ts';
import { methods } from '../../../../texts/methods.ts';
import { operator } from '../../../../texts/operator.ts';
import { setting } from '../../../../texts/setting.ts';
import { term } from '../../../../texts/term.ts';
import { subject as subjectTexts } from '../../../../texts/subject.ts';
import { Evidence } from '../-shown/evidence.tsx';
import { PageLink } from '../-shown/page-link.tsx';
import { numberIn, useShownValue } from '../-shown/setting-value.ts';
import { Scope } from './-scope.tsx';

/** Facts whose value is one of few words. */
const SAID = new Set([
  'term',
  'entity_type',
  'reason',
  'source',
  'person',
  'proof',
  'credited',
  'status',
  'direction',
]);

/** Facts whose value is money, in the currency that stands among them. */
const AMOUNTS = new Set(['amount', 'fee', 'tax', 'arrival', 'ordered', 'price', 'publisher']);

/** Facts that are the number of what has a page of its own: a second person looks there too. */
const PAGES: Readonly<Record<string, string>> = {
  withdrawal_id: 'withdrawals',
  publisher_id: 'publishers',
  advertiser_id: 'advertisers',
  deposit_id: 'deposits',
  reversal_id: 'reversals',
  balance_refund_id: 'refunds',
  statement_id: 'statements',
};
const ORDER = /^WD-(\d+)$/;
/** A part of a refund, as the database binds it: sum, currency, method, its reference, the order's, the part. */
const PART_NAME = /^receipt_(\d+)$/;
const PART = /^(\S+) (\S+) (\S+) (.*) (\S+) \d+$/;

const factOf = (content: ApprovalPage['content'], name: string): string | undefined =>
  content.find((fact) => fact.name === name)?.value;

type OfKind = Pick<ApprovalPage, 'kind' | 'subject'>;

/** What a fact is called; each part of a refund has a name of its own. */
export function useFactName(): (name: string) => string {
  const { facts, part } = useTexts(approval);
  return (name) => {
    const receipt = PART_NAME.exec(name)?.[1];
    return receipt === undefined ? wordOf(facts, name) : part(receipt);
  };
}

/** The name and value of a setting, a percent, a country and a day of a term. */
function useFactOfKind(): (of: OfKind, name: string, value: string) => ReactNode {
  const settingAs = useShownValue();
  const { keys } = useTexts(setting);
  const { ofHundred } = useTexts(term);
  const { language } = usePreferences();
  return ({ kind, subject }, name, value) => {
    if (kind === 'reversal' && name === 'scope') return <Scope id={Number(subject)} />;
    const part = PART_NAME.test(name) ? PART.exec(value) : null;
    if (part !== null) return <Part of={part} />;
    if (kind === 'setting' && name === 'key') return wordOf(keys, value);
    if (kind === 'setting' && (name === 'value' || name === 'was'))
      return settingAs(subject, numberIn(value));
    if (kind === 'money_term' && name === 'percent') return ofHundred(Number(value));
    if (kind === 'money_term' && name === 'country') return countryName(value, language);
    if (kind === 'money_term' && name === 'from') return formatDay(value, language);
    return undefined;
  };
}

/** A fact as it is bound: in words where a word or a bare number stands for something, and what it names is a press away. */
export function useShownFact(): (of: ApprovalPage, name: string, value: string) => ReactNode {
  const words = useTexts(approvalValues);
  const t = useTexts(subjectTexts);
  const ways = useTexts(methods);
  const { roles } = useTexts(operator);
  const ofKind = useFactOfKind();
  const { language } = usePreferences();
  return ({ kind, subject, content, evidence, holder }, name, value) => {
    const currency = factOf(content, 'currency') ?? 'USD';
    if (AMOUNTS.has(name)) return formatMoney(Number(value), language, currency);
    if (SAID.has(name)) return wordOf(words, value);
    if (name === 'role' || name === 'new_role') return wordOf(roles, value);
    if (name === 'channel' || name === 'provider') return wordOf(ways, value);
    const own = ofKind({ kind, subject }, name, value);
    if (own !== undefined) return own;
    if (name === 'evidence_id') {
      const file = evidence.find(({ id }) => String(id) === value);
      return file === undefined ? value : <Evidence file={file} />;
    }
    const deposit = factOf(content, 'deposit_id');
    // What arrived stands on the page of its order, with the picture that its payer sent.
    if (deposit !== undefined && (name === 'receipt_id' || name === 'evidence_media_id')) {
      const text = name === 'receipt_id' ? value : t.evidence;
      return <PageLink to={`/operator/deposits/${deposit}`}>{text}</PageLink>;
    }
    const folder = PAGES[name];
    if (folder !== undefined) return <Named at={`${folder}/${value}`} of={holder} />;
    if (name === 'orders' || name === 'payout_reference') return <Orders of={value.split(', ')} />;
    return value;
  };
}

/** What has a page: the account whose money it is by its name, anything else by its number. */
function Named({ at, of }: { at: string; of: ApprovalPage['holder'] }) {
  const [folder, id] = at.split('/');
  const side = of?.kind === 'PUBLISHER' ? 'publishers' : 'advertisers';
  const isHolder = of !== null && folder === side && String(of.account_id) === id;
  return (
    <PageLink to={`/operator/${at}`}>{isHolder ? (of.company_name ?? of.username) : id}</PageLink>
  );
}

/** What goes back of one receipt, by the way that it came. */
function Part({ of: [, amount, currency, method, reference, order] }: { of: readonly string[] }) {
  const ways = useTexts(methods);
  const { language } = usePreferences();
  const sum = formatMoney(Number(amount), language, currency);
  return [sum, wordOf(ways, method), reference, order].join(' · ');
}

function Orders({ of }: { of: readonly string[] }) {
  return of.map((reference, index) => {
    const [, id] = ORDER.exec(reference) ?? [];
    const text =
      id === undefined ? (
        reference
      ) : (
        <PageLink to={`/operator/withdrawals/${id}`}>{reference}</PageLink>
      );
    return (
      <Fragment key={reference}>
        {index > 0 && ', '}
        {text}
      </Fragment>
    );
  });
}
