import { Anchor, List, Text } from '@mantine/core';
import { createContext, use, useEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { rules } from '../texts/rules.ts';
import { useMarks, useTexts } from './texts.ts';

/** What the fields of a form are called, by the names that the API has for them. */
export const FieldLabels = createContext<Map<string, string> | null>(null);

/** For a field that is not made by `useField`: a refusal of the form says which field it is about. */
export function useFieldLabel(name: string, label: string): void {
  const labels = use(FieldLabels);
  // Read when the form is refused, so nothing is drawn anew for it.
  useEffect(() => {
    labels?.set(name, label);
    return () => void labels?.delete(name);
  }, [labels, name, label]);
}

export interface FieldFault {
  name: string;
  message: string;
}

/** What is wrong now, in the order of the fields. */
export const faultsOf = <Values extends FieldValues>(form: UseFormReturn<Values>): FieldFault[] =>
  [...form.control._names.mount].flatMap((name) => {
    const { error } = form.getFieldState(name as Path<Values>);
    return error === undefined ? [] : [{ name, message: error.message ?? '' }];
  });

/** `Amount: At least 10.`; a fault with no words is its field alone. */
export function useFaultWords(labels: ReadonlyMap<string, string>): (fault: FieldFault) => string {
  const { colon } = useMarks();
  return ({ name, message }) =>
    [labels.get(name) ?? '', message.trim()].filter((part) => part !== '').join(colon);
}

/**
 * Where several fields are wrong: each by its name, and a press goes to it. What is right by now has
 * gone from it.
 */
export function FaultList({
  faults,
  say,
  onGo,
}: {
  faults: readonly FieldFault[];
  say: (fault: FieldFault) => string;
  onGo: (name: string) => void;
}) {
  const t = useTexts(rules);
  if (faults.length < 2) return null;
  return (
    <div role="group" aria-label={t.faults}>
      <Text size="sm" c="var(--mantine-color-error)">
        {t.refused(faults.length)}
      </Text>
      <List size="sm">
        {faults.map((fault) => (
          <List.Item key={fault.name}>
            <Anchor
              component="button"
              type="button"
              size="sm"
              mih="1.5rem"
              onClick={() => onGo(fault.name)}
            >
              {say(fault)}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
