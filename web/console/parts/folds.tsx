import { Accordion } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { get, useFormContext, useFormState } from 'react-hook-form';

export interface Fold {
  key: string;
  title: string;
  /** The fields inside, as the form names them. */
  names: readonly string[];
  content: ReactNode;
}

/** Parts of a form that most leave as they are: closed, but where something is set or refused inside. */
export function Folds({ folds }: { folds: readonly Fold[] }) {
  const { getValues } = useFormContext();
  const { errors } = useFormState();
  const keysOf = (isOpen: (name: string) => boolean): string[] =>
    folds.filter(({ names }) => names.some(isOpen)).map(({ key }) => key);
  const [opened, setOpened] = useState(() => keysOf((name) => isSet(getValues(name))));
  const refused = keysOf((name) => get(errors, name) !== undefined);
  return (
    <Accordion
      variant="contained"
      multiple
      value={[...new Set([...opened, ...refused])]}
      onChange={setOpened}
    >
      {folds.map(({ key, title, content }) => (
        <Accordion.Item key={key} value={key}>
          <Accordion.Control>{title}</Accordion.Control>
          <Accordion.Panel>{content}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** Something else than nothing, however deep. */
function isSet(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value === 'object' ? Object.values(value).some(isSet) : value !== '';
}
