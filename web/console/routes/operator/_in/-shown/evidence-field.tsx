import { useController } from 'react-hook-form';
import type { Evidence } from '../../../../queries/operator/money.ts';
import { EvidenceInput } from './evidence-input.tsx';

/** The same as a field of a form. */
export function EvidenceField() {
  const { field } = useController<{ evidence: Evidence | null }, 'evidence'>({ name: 'evidence' });
  return <EvidenceInput value={field.value} onChange={field.onChange} />;
}
