import { Text } from '@mantine/core';
import type { PaymentMethod } from '../../../../../client/routes.ts';
import { countryName } from '../../../../parts/countries.ts';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { withdrawal } from '../../../../texts/withdrawal.ts';

/** Whom the tax is for, and the law or treaty behind it; nothing where it is the same of everybody. */
export function TaxReason({ reason }: { reason: PaymentMethod['tax_reason'] }) {
  const t = useTexts(withdrawal);
  const marks = useMarks();
  const { language } = usePreferences();
  if (reason === null) return null;
  const { country, entity_type: entity, basis } = reason;
  const whom = [
    ...(country === null ? [] : [countryName(country, language)]),
    ...(entity === null ? [] : [t.types[entity]]),
  ].join(marks.comma);
  return (
    <Text size="xs" c="dimmed">
      {t.taxReason(whom === '' ? t.taxOfAll : whom, basis)}
    </Text>
  );
}
