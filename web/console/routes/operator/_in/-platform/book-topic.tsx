import { Card, Group, Text, Title } from '@mantine/core';
import type { Books } from '../../../../../client/routes.ts';
import { numberFormat } from '../../../../parts/formats.ts';
import { formatExact } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { type BookTopic, bookTopics } from '../../../../texts/book-advice.ts';
import { bookChecks } from '../../../../texts/book-checks.ts';
import { bookFiguresInChinese } from '../../../../texts/book-figures-zh.ts';
import { finance } from '../../../../texts/finance.ts';
import classes from './book-topic.module.css';

export type BookCheck = Books['checks'][number];

export const BAD = 'var(--mantine-color-error)';

/** Each check in a line; what its figure counts is one press away. */
export function BookTopicCard({
  topic,
  checks,
}: {
  topic: BookTopic;
  checks: readonly BookCheck[];
}) {
  const t = useTexts(finance);
  const { language } = usePreferences();
  const bad = checks.filter(({ ok }) => !ok).length;
  if (checks.length === 0) return null;
  return (
    <Card
      withBorder
      padding="sm"
      component="section"
      className={classes['topic']}
      aria-label={bookTopics[language][topic]}
    >
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h4">
          {bookTopics[language][topic]}
        </Title>
        <Text size="xs" c={bad === 0 ? 'dimmed' : BAD} fw={bad === 0 ? 400 : 700}>
          {bad === 0 ? t.allHold(checks.length) : t.someFail(bad, checks.length)}
        </Text>
      </Group>
      {checks.map((check) => (
        <details key={check.name} className={classes['check']}>
          <summary>
            <span>{wordOf(bookChecks[language], check.name)}</span>
            <Figure check={check} />
          </summary>
          <Text size="xs" c="dimmed">
            {meaningOf(check, language)} <code>{check.name}</code>
          </Text>
        </details>
      ))}
    </Card>
  );
}

/** What its figure counts. */
export const meaningOf = (check: BookCheck, language: 'en' | 'zh'): string =>
  (language === 'zh' ? bookFiguresInChinese[check.name] : undefined) ?? check.detail;

/** Whether it holds, and by how much it does not. */
export function Figure({ check }: { check: BookCheck }) {
  const t = useTexts(finance);
  const { language } = usePreferences();
  const { amount, figure, ok } = check;
  const shown = amount === null ? countIn(figure, language) : formatExact(amount, language);
  return (
    <Text span size="sm" c={ok ? 'dimmed' : BAD} fw={ok ? 400 : 700}>
      {ok ? t.holds : t.broken} · <span className="number">{shown}</span>
    </Text>
  );
}

/** A check that had no answer says so instead of a number. */
const countIn = (figure: string, language: string): string =>
  /^-?\d+$/.test(figure) ? numberFormat(language).format(BigInt(figure)) : figure;
