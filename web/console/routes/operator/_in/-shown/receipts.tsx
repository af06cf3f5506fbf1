import { Anchor, Card, Group, Stack, Text } from '@mantine/core';
import type { Receipt as ApiReceipt } from '../../../../../client/routes.ts';
import { ImageShown } from '../../../../parts/image-shown.tsx';
import { Money } from '../../../../parts/money.tsx';
import { State } from '../../../../parts/state.tsx';
import { useMarks, useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { methods } from '../../../../texts/methods.ts';
import { receipt as receiptTexts } from '../../../../texts/receipt.ts';
import { subject } from '../../../../texts/subject.ts';
import { wayBack } from '../../../../texts/way-back.ts';
import { Evidence } from './evidence.tsx';
import { TakeBack } from './take-back.tsx';

interface Receipt {
  id: number;
  amount: number;
  currency: string;
  provider: string;
  reference: string;
  state: string;
  received_at: string;
  evidence?: { url: string; mime: string; name: string | null } | null;
  evidence_file: { id: number; mime: string; name: string | null } | null;
  asked: ApiReceipt['asked'];
  way_back: WayBack | null;
  take_back: ApiReceipt['take_back'];
}

type WayBack = Pick<
  NonNullable<ApiReceipt['way_back']>,
  'state' | 'answer' | 'reference' | 'sent_at'
>;

/** How it gets back to whoever paid it, or got there. */
function Back({ way }: { way: WayBack }) {
  const t = useTexts(wayBack);
  const { colon } = useMarks();
  const word = way.reference ?? way.answer;
  return (
    <Text size="sm">
      {t[way.state]}
      {word !== null && (
        <>
          {colon}
          <code>{word}</code>
        </>
      )}
      {way.sent_at !== null && (
        <>
          {' · '}
          <When at={way.sent_at} />
        </>
      )}
    </Text>
  );
}

/** Whom it waits for, and what they are asked. */
function Asked({ of: { kind, not_by: maker } }: { of: NonNullable<Receipt['asked']> }) {
  const t = useTexts(receiptTexts);
  return <State state="SUSPENSE" words={t.waits[kind](maker)} />;
}

/** What arrived for an order, with what proves it. */
export function Receipts({
  receipts,
  asked = null,
}: {
  receipts: readonly Receipt[];
  /** The one that a question is about. */
  asked?: number | null;
}) {
  const t = useTexts(subject);
  const { colon } = useMarks();
  const ways = useTexts(methods);
  if (receipts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.noReceipts}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {receipts.map((receipt) => (
        <Card key={receipt.id} withBorder padding="sm">
          <Group gap="sm">
            <Text fw={600}>
              <Money amount={receipt.amount} currency={receipt.currency} />
            </Text>
            {receipt.asked === null ? (
              <State state={receipt.state} />
            ) : (
              <Asked of={receipt.asked} />
            )}
            {receipt.id === asked && (
              <Text size="sm" fw={600}>
                ← {t.thisReceipt}
              </Text>
            )}
          </Group>
          <Text size="sm">
            {wordOf(ways, receipt.provider)} · <code>{receipt.reference}</code> ·{' '}
            <When at={receipt.received_at} />
          </Text>
          {receipt.way_back !== null && <Back way={receipt.way_back} />}
          <TakeBack receipt={receipt} />
          {receipt.evidence_file !== null && <Evidence file={receipt.evidence_file} />}
          {receipt.evidence !== undefined && receipt.evidence !== null && (
            <Stack gap={4} mt="xs">
              {receipt.evidence.mime.startsWith('image/') && (
                <ImageShown name={t.evidence} url={receipt.evidence.url} />
              )}
              <Anchor
                size="sm"
                href={receipt.evidence.url}
                target="_blank"
                rel="noreferrer noopener"
              >
                {t.evidence}
                {colon}
                {receipt.evidence.name ?? receipt.evidence.mime} ↗
              </Anchor>
            </Stack>
          )}
        </Card>
      ))}
    </Stack>
  );
}
