import { useDebouncedCallback } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useId, useState } from 'react';
import { common } from '../texts/common.ts';
import { Choice } from './choice.tsx';
import fields from './choice.module.css';
import classes from './filters.module.css';
import { PhoneFold } from './phone-fold.tsx';
import { RowButton } from './row-button.tsx';
import { useTexts } from './texts.ts';

export type Filter =
  | { kind: 'text'; name: string; label: string }
  | {
      kind: 'choice';
      name: string;
      label: string;
      options: readonly { value: string; label: string }[];
      /** What holds while nothing is chosen; else all. */
      unset?: string;
    }
  /** A field of the page's own. */
  | { kind: 'own'; name: string; label: string; field: ComponentType<OwnField> };

type Change = Record<string, string | undefined>;

export interface OwnField {
  name: string;
  label: string;
  values: Values;
  onChange: (change: Change) => void;
}

type Values = Readonly<Record<string, string | number | undefined>>;

const TYPING_MS = 200;

/** Filters of a list; their values live in the address, so a copied one shows the same rows. */
export function Filters({
  filters,
  values,
  onChange,
  children,
}: {
  filters: readonly Filter[];
  values: Values;
  onChange: (change: Change) => void;
  /** What changes how rows are shown, not which. */
  children?: ReactNode;
}) {
  const t = useTexts(common);
  const isSetIn = (some: readonly Filter[]): boolean =>
    some.some(({ name }) => values[name] !== undefined);
  const [first, ...more] = filters;
  const isShort = more.length + (children === undefined ? 0 : 1) < 2;
  const one = (filter: Filter) => <OneFilter key={filter.name} {...{ filter, values, onChange }} />;
  return (
    <PhoneFold first={first && one(first)} isKept={isShort || isSetIn(more)}>
      {more.map(one)}
      {isSetIn(filters) && (
        <RowButton
          look="quiet"
          onClick={() => onChange(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
        >
          {t.clear}
        </RowButton>
      )}
      {children}
    </PhoneFold>
  );
}

interface Props<Of extends Filter> {
  filter: Of;
  values: Values;
  onChange: (change: Change) => void;
}

function OneFilter({ filter, values, onChange }: Props<Filter>) {
  const t = useTexts(common);
  if (filter.kind === 'text') return <TypedFilter {...{ filter, values, onChange }} />;
  const { name, label } = filter;
  const value = values[name]?.toString() ?? null;
  return filter.kind === 'own' ? (
    <filter.field {...{ name, label, values, onChange }} />
  ) : (
    <Choice
      label={label}
      unset={filter.unset ?? t.all}
      options={filter.options}
      value={value}
      onChange={(next) => onChange({ [name]: next ?? undefined })}
    />
  );
}

function TypedFilter({ filter, values, onChange }: Props<Filter & { kind: 'text' }>) {
  const value = values[filter.name]?.toString() ?? '';
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  if (known !== value) {
    setKnown(value);
    // By a link, the way back or "Clear"; what was sent from here may have been typed on since.
    if (value !== sent) {
      setText(value);
      setSent(value);
    }
  }
  const id = useId();
  const router = useRouter();
  const here = (): string => router.latestLocation.pathname;
  const send = useDebouncedCallback((next: string, typedAt: string) => {
    // Somebody who has followed a link meanwhile is not called back.
    if (here() !== typedAt) return;
    setSent(next);
    onChange({ [filter.name]: next === '' ? undefined : next });
  }, TYPING_MS);
  return (
    <div className={`${fields['field']} ${classes['typed']}`}>
      <label className={fields['label']} htmlFor={id}>
        {filter.label}
      </label>
      <input
        id={id}
        className={fields['input']}
        type="search"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          send(event.currentTarget.value, here());
        }}
      />
    </div>
  );
}
