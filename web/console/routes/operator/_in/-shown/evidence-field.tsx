import { useController } from 'react-hook-form';
import { useFieldLabel } from '../../../../parts/form-faults.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import type { Evidence } from '../../../../queries/operator/money.ts';
import { common } from '../../../../texts/common.ts';
import { finance } from '../../../../texts/finance.ts';
import { EvidenceInput } from './evidence-input.tsx';

/** The same as a field of a form, under the API's name: what is wrong with it is said there. */
export function EvidenceField({ required }: { required: boolean }) {
  const c = useTexts(common);
  const t = useTexts(finance);
  useFieldLabel('evidence_id', t.evidence);
  const { field, fieldState } = useController<{ evidence_id: Evidence | null }, 'evidence_id'>({
    name: 'evidence_id',
    rules: required ? { required: c.required } : {},
  });
  return (
    <EvidenceInput
      ref={field.ref}
      value={field.value}
      onChange={field.onChange}
      required={required}
      hint={required ? t.evidenceNeeded : t.evidenceHint}
      error={fieldState.error?.message}
    />
  );
}
