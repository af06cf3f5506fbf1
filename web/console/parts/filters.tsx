import { useDebouncedCallback } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useId, useState } from 'react';
import { common } from '../texts/common.ts';
import { Choice } from './choice.tsx';
import fields from './choice.module.css';
import classes from './filters.module.css';
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

/**
 * Filters of a list; their values live in the address, so a copied one shows the same rows. On a phone, where each
 * line of them moves the list out of sight, all but the first wait behind a button while none of them is set.
 */
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
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const isSetIn = (some: readonly Filter[]): boolean =>
    some.some(({ name }) => values[name] !== undefined);
  const isSet = isSetIn(filters);
  const [first, ...more] = filters;
  const folds = more.length + (children === undefined ? 0 : 1) > 1;
  // What narrows the list is never out of sight.
  const isShown = !folds || isOpen || isSetIn(more);
  return (
    <div id={id} className={classes['filters']} role="search" data-folded={!isShown || undefined}>
      {first !== undefined && <OneFilter filter={first} {...{ values, onChange }} />}
      {folds && !isSetIn(more) && (
        <span className={classes['more']}>
          <RowButton
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen((before) => !before)}
          >
            {t.filters}
          </RowButton>
        </span>
      )}
      {more.map((filter) => (
        <OneFilter key={filter.name} {...{ filter, values, onChange }} />
      ))}
      {isSet && (
        <RowButton
          look="quiet"
          onClick={() => onChange(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
        >
          {t.clear}
        </RowButton>
      )}
      {children}
    </div>
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
