import { Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { Money } from '../../../../parts/money.tsx';
import { State } from '../../../../parts/state.tsx';
import { type Same, useMarks, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import type { EventTrace } from '../../../../queries/operator/platform.ts';
import type { useKindWords } from '../-shown/kind-words.ts';
import { nameIn } from './name-in.ts';
import type { platform } from '../../../../texts/platform.ts';
import type { removalReasons } from '../../../../texts/removal-reasons.ts';

type Words = Same<(typeof platform)['en']>;
type Named = Same<(typeof removalReasons)['en']>;

interface Step {
  key: string;
  at: string;
  title: string;
  body: ReactNode;
}

interface Traced {
  trace: EventTrace;
  t: Words;
  /** Why something was not counted. */
  reasons: Named;
  kinds: ReturnType<typeof useKindWords>;
}

/** Items of a timeline, in the order in which they happened. */
export const Fate = (traced: Traced): ReactNode[] =>
  stepsOf(traced)
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .map(({ key, at, title, body }) => (
      <Timeline.Item key={key} title={title}>
        <Text size="sm" component="div">
          {body}
        </Text>
        <Text size="xs" c="dimmed">
          <When at={at} />
        </Text>
      </Timeline.Item>
    ));

function stepsOf({ trace, t, reasons, kinds }: Traced): Step[] {
  const why = (code: string | null): string => (code === null ? '' : wordOf(reasons, code));
  const { track, events, clicks, conversions } = trace;
  // One answer may carry several ads: then each event says of which.
  const isOne = new Set(events.map((event) => event.bid_id)).size <= 1;
  const calledAd = (id: number | null): string => nameIn(trace, 'ad', id) ?? `#${id}`;
  return [
    ...(track === null
      ? []
      : [
          {
            key: 'track',
            at: track.issued_at,
            title: t.sealed,
            body: (
              <>
                {track.channel} · {track.pricing_model} · <Money amount={track.price} /> ·{' '}
                {calledAd(track.ad_id)} ·{' '}
                {nameIn(trace, 'zone', track.zone_id) ?? `#${track.zone_id}`} ·{' '}
                {track.country ?? '—'} · {kinds.device(track.device)} · {kinds.os(track.os)}
              </>
            ),
          },
        ]),
    ...events.map((event) => ({
      key: `event ${event.id}`,
      at: event.received_at,
      title: t.event(event.kind),
      body: (
        <EventBody
          event={event}
          t={t}
          why={why}
          kinds={kinds}
          ad={isOne ? null : calledAd(event.ad_id)}
        />
      ),
    })),
    ...clicks.map((click) => ({
      key: `click ${click.click_id}`,
      at: click.clicked_at,
      title: t.click,
      body: (
        <>
          <State state={click.status} /> {why(click.reason)} <code>{click.click_id}</code> ·{' '}
          {click.pricing_model} <Money amount={click.price} />
          {click.verified_at !== null && (
            <>
              {' '}
              · {t.verified} <When at={click.verified_at} />
            </>
          )}
        </>
      ),
    })),
    ...conversions.map((conversion) => ({
      key: `conversion ${conversion.id}`,
      at: conversion.created_at,
      title: t.conversion(conversion.event_type),
      body: (
        <>
          <State state={conversion.status} /> {why(conversion.reason)} ·{' '}
          <Money amount={conversion.value} currency={conversion.currency} /> · {conversion.source}
        </>
      ),
    })),
  ];
}

function EventBody(props: {
  event: EventTrace['events'][number];
  t: Words;
  why: (code: string) => string;
  kinds: Traced['kinds'];
  /** Said where there are several. */
  ad: string | null;
}) {
  const { event, t, why, kinds, ad } = props;
  const { colon, comma } = useMarks();
  const { country, device, os, browser, page } = event;
  const seenBy = [
    device === null ? null : kinds.device(device),
    os === null ? null : kinds.os(os),
    browser === null ? null : kinds.browser(browser),
  ];
  const place = [ad, country, ...seenBy, page?.host ?? null].filter((each) => each !== null);
  return (
    <>
      <State state={event.status} />{' '}
      {event.billable ? (
        <>
          {t.billed}
          {colon}
          {t.price} <Money amount={event.price} />
          {comma}
          {t.share} <Money amount={event.publisher_share} />
        </>
      ) : (
        <>
          {t.unbilled}
          {event.reasons.length > 0 && `${colon}${event.reasons.map(why).join(comma)}`}
        </>
      )}
      {place.length > 0 && <> · {place.join(comma)}</>}
    </>
  );
}
