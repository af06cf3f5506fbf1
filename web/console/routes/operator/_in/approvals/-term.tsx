import { useQuery } from '@tanstack/react-query';
import { mayOpen } from '../../../../may/operator.ts';
import { countryName } from '../../../../parts/countries.ts';
import { Facts } from '../../../../parts/facts.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { profile } from '../../../../queries/operator/account.ts';
import type { ApprovalPage } from '../../../../queries/operator/approval.ts';
import { term } from '../../../../texts/term.ts';
import { inForce, type TermScope, termsOf } from '../terms/-in-force.ts';

/** Whom a share or a tax is for, also where that is everybody, and what it takes the place of. */
export function TermChange({ of: { content, state } }: { of: ApprovalPage }) {
  const t = useTexts(term);
  const { language } = usePreferences();
  const { data: me } = useQuery(profile);
  const fact = (name: string): string | null =>
    content.find((each) => each.name === name)?.value ?? null;
  const publisher = fact('publisher_id');
  const scope: TermScope = {
    kind: fact('term') === 'TAX' ? 'TAX' : 'SHARE',
    publisher_id: publisher === null ? null : Number(publisher),
    country: fact('country'),
    entity_type: fact('entity_type') as TermScope['entity_type'],
  };
  const isAsked = me !== undefined && mayOpen(me.role, 'terms');
  const { data } = useQuery({ ...termsOf(scope), enabled: isAsked });
  const today = inForce(data?.items, scope);
  const isForAll = publisher === null && scope.country === null && scope.entity_type === null;
  const whom = [
    scope.country === null ? null : countryName(scope.country, language),
    scope.entity_type === null ? null : t.entities[scope.entity_type],
  ].filter((each) => each !== null);
  const everybody = scope.kind === 'TAX' ? t.everybodyElse : t.everybody;
  return (
    <Facts
      rows={[
        ...(publisher === null
          ? ([[t.forWhom, isForAll ? everybody : whom.join(' · ')]] as const)
          : []),
        ...(state === 'PROPOSED' && today !== null
          ? ([[t.today, t.held(today.percent, today.isOfAll)]] as const)
          : []),
      ]}
    />
  );
}
