import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Deposit } from '../../../../../../client/routes.ts';
import { CopyCode } from '../../../../../parts/copy-code.tsx';
import { numberFormat } from '../../../../../parts/formats.ts';
import { formatMoney } from '../../../../../parts/money.tsx';
import { usePreferences } from '../../../../../parts/preferences.tsx';
import { QrCode } from '../../../../../parts/qr-code.tsx';
import { Section } from '../../../../../parts/section.tsx';
import { useMarks, useTexts } from '../../../../../parts/texts.ts';
import { Since, When } from '../../../../../parts/time.tsx';
import { payTexts } from '../../../../../texts/advertiser/pay.ts';

type Payment = NonNullable<Deposit['payment']>;

/** While an order waits: all that its payer needs, ready to be scanned or copied. */
export function HowToPay({ row }: { row: Deposit }) {
  const t = useTexts(payTexts);
  const { colon } = useMarks();
  return (
    <Section title={t.title}>
      <Stack gap="sm" maw={640}>
        <Way row={row} />
        <Text size="sm">
          {t.until}
          {colon}
          <When at={row.expires_at} /> · <Since at={row.expires_at} />
        </Text>
        <Text size="sm" c="dimmed">
          {t.notes[row.payment_method]}
        </Text>
      </Stack>
    </Section>
  );
}

function Way({ row }: { row: Deposit }): ReactNode {
  const t = useTexts(payTexts);
  const { language } = usePreferences();
  const { payment } = row;
  const amount = formatMoney(row.amount, language, row.currency);
  if (payment === null) {
    return (
      <>
        <Text size="sm">{t.offline(amount)}</Text>
        <CopyCode label={t.reference} code={row.reference} />
      </>
    );
  }
  if (payment.kind === 'TRANSFER') return <Transfer row={row} payment={payment} amount={amount} />;
  if (payment.state === 'OPENING' || payment.kind === null) {
    return (
      <Text size="sm" aria-live="polite">
        {t.opening}
      </Text>
    );
  }
  const asked = `${numberFormat(language, { maximumFractionDigits: 6 }).format(payment.pay_amount)} ${payment.pay_currency}`;
  return payment.kind === 'QR' ? (
    <Scan payment={payment} words={t.scan(asked, row.payment_method)} />
  ) : (
    <Send payment={payment} asked={asked} />
  );
}

function Transfer(props: { row: Deposit; payment: Payment; amount: string }) {
  const { row, payment, amount } = props;
  const t = useTexts(payTexts);
  return (
    <>
      <Text size="sm">{t.transfer(amount)}</Text>
      <CopyCode label={t.reference} code={row.reference} />
      <CopyCode label={t.payee} code={payment.payee_name ?? ''} />
      <CopyCode label="IBAN" code={payment.payee_iban ?? ''} />
      <CopyCode label="BIC" code={payment.payee_bic ?? ''} />
      {payment.payee_bank !== null && <Text size="sm">{payment.payee_bank}</Text>}
    </>
  );
}

function Scan({ payment, words }: { payment: Payment; words: string }) {
  const t = useTexts(payTexts);
  return (
    <>
      <Text size="sm">{words}</Text>
      <QrCode text={payment.qr ?? ''} label={t.code} />
      <Elsewhere payment={payment} />
    </>
  );
}

function Send({ payment, asked }: { payment: Payment; asked: string }) {
  const t = useTexts(payTexts);
  const { confirmations: needed, confirmations_seen: seen } = payment;
  return (
    <>
      <Text size="sm">{t.send(asked, payment.network ?? '', needed ?? 0)}</Text>
      {payment.network !== null && (
        <Alert color="orange" variant="light" title={t.onlyOn[payment.network]}>
          <Text size="sm">{t.onlyHelp[payment.network]}</Text>
        </Alert>
      )}
      <Group align="start">
        <QrCode text={payment.qr ?? ''} label={t.code} />
      </Group>
      <CopyCode label={t.address} code={payment.address ?? ''} />
      <CopyCode label={t.contract} code={payment.contract ?? ''} />
      {seen !== null && (
        <Text size="sm" fw={600} aria-live="polite">
          {t.seen(Math.min(seen, needed ?? seen), needed ?? 0)}
        </Text>
      )}
      <Elsewhere payment={payment} />
    </>
  );
}

/** Where the code leads, for whoever has no phone at hand. */
function Elsewhere({ payment }: { payment: Payment }) {
  const t = useTexts(payTexts);
  if (payment.page === null) return null;
  return (
    <Anchor href={payment.page} target="_blank" rel="noreferrer" size="sm">
      {t.page}
    </Anchor>
  );
}
