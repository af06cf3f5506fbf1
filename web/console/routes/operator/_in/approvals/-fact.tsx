import { Fragment, type ReactNode } from 'react';
import { formatMoney } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { formatDay } from '../../../../parts/time.tsx';
import type { ApprovalPage } from '../../../../queries/operator/approval.ts';
import { approvalValues } from '../../../../texts/approval-values.ts';
import { methods } from '../../../../texts/methods.ts';
import { operator } from '../../../../texts/operator.ts';
import { term } from '../../../../texts/term.ts';
import { subject as subjectTexts } from '../../../../texts/subject.ts';
import { Evidence } from '../-shown/evidence.tsx';
import { PageLink } from '../-shown/page-link.tsx';
import { useShownValue } from '../-shown/setting-value.ts';

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

const factOf = (content: ApprovalPage['content'], name: string): string | undefined =>
  content.find((fact) => fact.name === name)?.value;

type OfKind = Pick<ApprovalPage, 'kind' | 'subject'>;

/** A value of a setting, a percent and a day of a term. */
function useFactOfKind(): (of: OfKind, name: string, value: string) => string | undefined {
  const settingAs = useShownValue();
  const { ofHundred } = useTexts(term);
  const { language } = usePreferences();
  return ({ kind, subject }, name, value) => {
    if (kind === 'setting' && (name === 'value' || name === 'was'))
      return settingAs(subject, /^\d+(\.\d+)?$/.test(value) ? Number(value) : value);
    if (kind === 'money_term' && name === 'percent') return ofHundred(Number(value));
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
  return ({ kind, subject, content, evidence }, name, value) => {
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
    if (folder !== undefined)
      return <PageLink to={`/operator/${folder}/${value}`}>{value}</PageLink>;
    if (name === 'orders' || name === 'payout_reference') return <Orders of={value.split(', ')} />;
    return value;
  };
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
