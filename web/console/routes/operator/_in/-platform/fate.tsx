import { Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { Money } from '../../../../parts/money.tsx';
import { State } from '../../../../parts/state.tsx';
import type { Same } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import type { EventTrace } from '../../../../queries/operator/platform.ts';
import { nameIn } from './name-in.ts';
import type { platform } from '../../../../texts/platform.ts';

type Words = Same<(typeof platform)['en']>;

interface Step {
  key: string;
  at: string;
  title: string;
  body: ReactNode;
}

/** Items of a timeline, in the order in which they happened. */
export const Fate = ({ trace, t }: { trace: EventTrace; t: Words }): ReactNode[] =>
  stepsOf(trace, t)
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

function stepsOf(trace: EventTrace, t: Words): Step[] {
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
                {track.country ?? '—'} · {track.device} · {track.os}
              </>
            ),
          },
        ]),
    ...events.map((event) => ({
      key: `event ${event.id}`,
      at: event.received_at,
      title: t.event(event.kind),
      body: <EventBody event={event} t={t} ad={isOne ? null : calledAd(event.ad_id)} />,
    })),
    ...clicks.map((click) => ({
      key: `click ${click.click_id}`,
      at: click.clicked_at,
      title: t.click,
      body: (
        <>
          <State state={click.status} /> {click.reason ?? ''} <code>{click.click_id}</code> ·{' '}
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
          <State state={conversion.status} /> {conversion.reason ?? ''} ·{' '}
          <Money amount={conversion.value} currency={conversion.currency} /> · {conversion.source}
        </>
      ),
    })),
  ];
}

function EventBody(props: {
  event: EventTrace['events'][number];
  t: Words;
  /** Said where there are several. */
  ad: string | null;
}) {
  const { event, t, ad } = props;
  const { country, device, os, browser, page } = event;
  const place = [ad, country, device, os, browser, page?.host ?? null].filter(
    (each) => each !== null,
  );
  return (
    <>
      <State state={event.status} />{' '}
      {event.billable ? (
        <>
          {t.billed}: {t.price} <Money amount={event.price} />, {t.share}{' '}
          <Money amount={event.publisher_share} />
        </>
      ) : (
        <>
          {t.unbilled}
          {event.reasons.length > 0 && `: ${event.reasons.join(', ')}`}
        </>
      )}
      {place.length > 0 && <> · {place.join(', ')}</>}
    </>
  );
}
