import { Button, Group, Text } from '@mantine/core';
import { type Ref, useState } from 'react';
import { FileDrop } from '../../../../parts/file-drop.tsx';
import { usePaperProblem } from '../../../../parts/paper-problem.ts';
import { useMarks, useTexts } from '../../../../parts/texts.ts';
import { type Evidence, uploadEvidence } from '../../../../queries/operator/money.ts';
import { finance } from '../../../../texts/finance.ts';

/** What proves what is said, such as the bank's slip; may be left out, unless `hint` says that it may not. */
export function EvidenceInput(props: {
  value: Evidence | null;
  onChange: (evidence: Evidence | null) => void;
  hint?: string;
  required?: boolean;
  error?: string | undefined;
  ref?: Ref<HTMLDivElement>;
}) {
  const t = useTexts(finance);
  const { colon } = useMarks();
  const { value, onChange, hint = t.evidenceHint, required = false, error, ref } = props;
  const problemOf = usePaperProblem();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const take = ([file]: readonly File[]): void => {
    if (file === undefined) return;
    setBusy(true);
    setFault(undefined);
    uploadEvidence(file)
      .then((evidence) => onChange(evidence))
      .catch((error: unknown) => setFault(problemOf(error as Error)))
      .finally(() => setBusy(false));
  };
  if (value !== null) {
    return (
      <>
        <Group gap="xs">
          <Text size="sm">
            {t.evidence}
            {colon}
            {value.name ?? value.mime}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => onChange(null)}>
            {t.evidenceRemove}
          </Button>
        </Group>
        {error !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </>
    );
  }
  return (
    <FileDrop
      label={t.evidence}
      lead={t.evidenceLead}
      button={t.evidenceChoose}
      hint={hint}
      accept="image/*,application/pdf"
      busy={isBusy ? t.evidenceBusy : null}
      required={required}
      error={fault ?? error}
      {...(ref === undefined ? {} : { ref })}
      onFiles={take}
    />
  );
}
