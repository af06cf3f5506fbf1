import { Stack, Text } from '@mantine/core';
import { countryName } from '../../../../parts/countries.ts';
import { NONE } from '../../../../parts/none.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import type { Term } from '../../../../queries/operator/term.ts';
import { term } from '../../../../texts/term.ts';
import { PartyLink } from '../-party/party-link.tsx';
import { PageLink } from '../-shown/page-link.tsx';

function useWhom({ kind, country, entity_type: entity, publisher }: Term): string {
  const t = useTexts(term);
  const { language } = usePreferences();
  if (kind === 'SHARE') return publisher ?? t.everybody;
  const parts = [
    ...(country === null ? [] : [countryName(country, language)]),
    ...(entity === null ? [] : [t.entities[entity]]),
  ];
  return parts.length === 0 ? t.everybodyElse : parts.join(' · ');
}

/** Whom a term is for, with its law and what operators noted. */
export function Whom({ row }: { row: Term }) {
  const whom = useWhom(row);
  return (
    <Stack gap={2}>
      {row.publisher_id === null ? (
        <span>{whom}</span>
      ) : (
        <PartyLink side="publisher" id={row.publisher_id} name={row.publisher} />
      )}
      {row.basis !== null && (
        <Text size="xs" c="dimmed">
          {row.basis}
        </Text>
      )}
      {row.note !== '' && (
        <Text size="xs" c="dimmed">
          {row.note}
        </Text>
      )}
    </Stack>
  );
}

/** The approval by which a term was or is decided; who may, and what they look at, is there. */
export function Decision({ row: { approval_id: id, status } }: { row: Term }) {
  const t = useTexts(term);
  if (id === null) return NONE;
  return (
    <PageLink to={`/operator/approvals/${id}`}>
      {status === 'PENDING' ? t.decide : t.approval(id)}
    </PageLink>
  );
}
