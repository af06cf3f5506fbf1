import {
  type HeadedTask,
  TASK_HEADING_FORMS,
  type TaskHeading,
  taskTitle,
} from '../../domain/task-heading.ts';
import { taskTitleInChinese } from '../../web/console/texts/task-title-zh.ts';

const PAYOUT = { amount: 480.5, account: 'DE** 1234', reference: 'adp-wd-7', second: false };
const BACK = {
  amount: 120,
  reference: 'DEP-88',
  method: 'BANK',
  provider_reference: 'E2E 5',
} as const;
const HEADINGS: readonly TaskHeading[] = [
  { form: 'REVIEW', name: '“31”' },
  { form: 'APPEAL', name: '“31”' },
  { form: 'REFUSED_STEP' },
  { form: 'IDENTITY', round: 2 },
  { form: 'RECEIPT', amount: 12_000, ordered: 12_000.25, reference: 'DEP-88' },
  { form: 'SEND_BACK', ...BACK },
  { form: 'SEND_BACK_BALANCE', ...BACK },
  { form: 'REMOVED_EVENTS', reason: 'BOT_UA', zone_id: 55, day: '2026-11-02' },
  { form: 'DOMAIN', domain: '31.example', claimant_site_id: 66, holder_site_id: 77 },
  { form: 'WITHDRAWAL', amount: 0.000001, method: 'USDT', account: 'T9** 12' },
  { form: 'PAYOUT_REFUSED', ...PAYOUT, answer: 'AC04' },
  { form: 'PAYOUT_TO_SEND', ...PAYOUT, answer: null },
  { form: 'PAYOUT_UNKNOWN', ...PAYOUT, answer: null },
  { form: 'PAYOUT_UNSENT', ...PAYOUT, answer: 'E4' },
  { form: 'REVERSAL', events: 3_210 },
];

const task = (heading: TaskHeading, kind: HeadedTask['kind'] = 'site_review'): HeadedTask => ({
  kind,
  subject: { type: 'site', id: 31 },
  heading,
});
const money = (amount: number): string => `<${amount}>`;
const day = (of: string): string => `<${of}>`;
const words = { money, method: (code: string) => code, reason: (code: string) => code, day };
const TITLES = { en: taskTitle, zh: taskTitleInChinese };

/** What a title has to say, as it is written. */
const saidOf = (heading: TaskHeading): string[] =>
  Object.entries(heading).flatMap(([name, value]) => {
    if (name === 'form' || value === null || typeof value === 'boolean') return [];
    if (name === 'day') return day(String(value));
    return ['amount', 'ordered'].includes(name) ? money(value as number) : String(value);
  });

test('every form has a title here', () => {
  expect(HEADINGS.map(({ form }) => form)).toEqual(TASK_HEADING_FORMS);
});

describe.each(Object.entries(TITLES))('titles in %s', (language, title) => {
  test.each(HEADINGS.map((heading) => [heading.form, heading] as const))(
    '%s · says all that its heading holds',
    (_form, heading) => {
      const text = title(task(heading), words);
      for (const said of saidOf(heading)) expect(text).toContain(said);
      expect(text).not.toMatch(/undefined|null|true|false/);
      const own = saidOf(heading).reduce((rest, said) => rest.replace(said, ''), text);
      if (language === 'zh') expect(own).not.toMatch(/[a-z]{2}/i);
      else expect(own).not.toMatch(/\p{Script=Han}/u);
    },
  );

  test('no two forms, and no second approval, have the same title', () => {
    const titles = [
      ...HEADINGS.map((heading) => title(task(heading), words)),
      title(task({ form: 'PAYOUT_UNKNOWN', ...PAYOUT, answer: null, second: true }), words),
      ...(['deposit_review', 'deposit_second_approval', 'suspense'] as const).map((kind) =>
        title(task({ form: 'RECEIPT', amount: 1, ordered: 2, reference: 'DEP-88' }, kind), words),
      ),
      ...(['withdrawal_review', 'withdrawal_second_approval'] as const).map((kind) =>
        title(task({ form: 'WITHDRAWAL', amount: 7, method: 'USDT', account: null }, kind), words),
      ),
    ];
    expect(new Set(titles).size).toBe(titles.length);
  });
});

test('in Chinese · a name that is not · stands apart from the words after it', () => {
  const to = (method: string): TaskHeading => ({
    form: 'WITHDRAWAL',
    amount: 7,
    method,
    account: 'b***@gazette.example',
  });
  const title = (method: string): string =>
    taskTitleInChinese(task(to(method), 'withdrawal_review'), {
      ...words,
      method: (code) => (code === 'BANK' ? '银行转账' : code),
    });
  expect(title('PayPal')).toMatch(/，PayPal 至 b\*\*\*@gazette\.example$/);
  expect(title('BANK')).toMatch(/，银行转账至 b\*\*\*@gazette\.example$/);
});

test('by itself · is English, with amounts of the platform’s currency', () => {
  const receipt: TaskHeading = {
    form: 'RECEIPT',
    amount: 12_000,
    ordered: 0.5,
    reference: 'DEP-88',
  };
  expect(taskTitle(task(receipt, 'suspense'))).toBe(
    'Money without an open order: received $12,000.00 for an order of $0.50 (DEP-88)',
  );
});
