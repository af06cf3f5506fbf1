import { Text } from '@mantine/core';
import type { Campaign } from '../../../../client/routes.ts';
import { dateFormat } from '../../../parts/formats.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { formatMoney } from '../../../parts/money.tsx';
import { type Language, usePreferences } from '../../../parts/preferences.tsx';
import { Section } from '../../../parts/section.tsx';
import { type Same, useTexts, wordOf } from '../../../parts/texts.ts';
import { formatShortDay, formatTime } from '../../../parts/time.tsx';
import { type DeliveryDay, deliveryDays } from '../../../queries/advertiser/delivery-days.ts';
import { deliveryDayTexts } from '../../../texts/advertiser/delivery-days.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import classes from './delivery-days.module.css';

type Words = Same<(typeof deliveryDayTexts)['en']>;

/** The last two weeks of a campaign, a day a cell: only what is known, nothing guessed. */
export function DeliveryDays({ row }: { row: Campaign }) {
  const t = useTexts(deliveryDayTexts);
  const i = useTexts(inventory);
  const { language, timeZone } = usePreferences();
  const query = deliveryDays(row.id);
  return (
    <Section title={t.title} lead={t.lead}>
      {/* A change of the campaign may be a reason. */}
      <Loaded query={{ ...query, queryKey: [...query.queryKey, row.version] }} height={160}>
        {({ items, as_of: until }) => (
          <>
            <ol className={classes['days']} aria-label={t.title}>
              {items.map((day, at) => (
                <Day key={day.date} day={day} isToday={at === items.length - 1} />
              ))}
            </ol>
            {until !== null && (
              <Text size="xs" c="dimmed">
                {i.reached(formatTime(until, language, timeZone))}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Day({ day, isToday }: { day: DeliveryDay; isToday: boolean }) {
  const t = useTexts(deliveryDayTexts);
  const { language } = usePreferences();
  const { spend, daily_budget: budget, budget_spent_at: ranOutAt } = day;
  const amount = formatMoney(spend, language);
  const share = budget === null || budget === 0 ? 0 : Math.min(spend / budget, 1);
  return (
    <li
      className={classes['day']}
      data-day={day.date}
      data-spent={ranOutAt !== null}
      data-idle={day.impressions === 0}
    >
      <span className={classes['date']}>
        {formatShortDay(day.date, language)}
        {isToday && ` · ${t.today}`}
      </span>
      <span className={classes['bar']} aria-hidden>
        <span style={{ width: `${share * 100}%` }} />
      </span>
      <span>{budget === null ? amount : t.ofBudget(amount, formatMoney(budget, language))}</span>
      {linesOf(day, t, language).map((line) => (
        <span key={line}>{line}</span>
      ))}
    </li>
  );
}

function linesOf(day: DeliveryDay, t: Words, language: Language): string[] {
  const { date, impressions, reasons, budget_spent_at: at } = day;
  const lines = reasons.map((reason) => wordOf(t.reasons, reason));
  if (at !== null) {
    // Counted after midnight, its time is none of that day.
    const time = dateFormat(language, { timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at));
    lines.push(at.startsWith(date) ? t.ranOutAt(time) : t.ranOut);
  }
  return impressions === 0 ? [...lines, t.noImpressions] : lines;
}
