import { NONE } from '../../../../parts/none.tsx';
import { useTexts, wordOf } from '../../../../parts/texts.ts';
import type { AnyonesOperation } from '../../../../queries/operator/platform.ts';
import { operation } from '../../../../texts/operation.ts';
import { PartyLink } from '../-party/party-link.tsx';

interface Props {
  of: AnyonesOperation;
}

/** What a flow is about, in words: `Withdrawal 3`. */
export function About({ of: { subject } }: Props) {
  const t = useTexts(operation);
  if (subject === null) return NONE;
  return <span className="words">{`${wordOf(t.subjects, subject.type)} ${subject.id}`}</span>;
}

/** Whose it is, by name; the platform's own is nobody's. */
export function Whose({ of: { account_id: id, account_kind: side, account_name: name } }: Props) {
  return id === null || side === null ? NONE : <PartyLink side={side} id={id} name={name} />;
}
