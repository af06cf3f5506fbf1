import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { common } from '../texts/common.ts';
import classes from './choice.module.css';
import { useTexts } from './texts.ts';

interface Option {
  value: string;
  label: string;
}

interface Props {
  label: string;
  options: readonly Option[];
  value: string | null;
  /** What holds while nothing is chosen. */
  unset: string;
  onChange: (value: string | null) => void;
}

/** Nowhere yet. */
const NONE = -1;

/**
 * One of a few, or none of them: a field that opens a list below it (ARIA's combobox that only
 * chooses). Plain, because every list has several above it and draws them anew with each change.
 */
export function Choice({ label, options, value, unset, onChange }: Props) {
  const t = useTexts(common);
  const id = useId();
  const [opened, setOpened] = useState(false);
  const [at, setAt] = useState(NONE);
  const chosen = options.findIndex((option) => option.value === value);
  const open = (): void => {
    setAt(chosen);
    setOpened(true);
  };
  const choose = (option: Option | undefined): void => {
    setOpened(false);
    // The one that is chosen, once more: none.
    if (option !== undefined) onChange(option.value === value ? null : option.value);
  };
  const onKey = (event: KeyboardEvent): void => {
    const next = keyed(event.key, { opened, at, options });
    if (next === null) return;
    event.preventDefault();
    if (next === 'open') open();
    else if (next === 'close') setOpened(false);
    else if (next === 'choose') choose(options[at]);
    else setAt(next);
  };
  return (
    <div className={classes['field']}>
      <label className={classes['label']} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={`${classes['input']} ${classes['choice']}`}
        readOnly
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={opened}
        aria-controls={opened ? `${id}-list` : undefined}
        aria-activedescendant={opened && at !== NONE ? `${id}-${at}` : undefined}
        value={options[chosen]?.label ?? ''}
        placeholder={unset}
        onClick={() => (opened ? setOpened(false) : open())}
        onBlur={() => setOpened(false)}
        onKeyDown={onKey}
      />
      {value === null ? (
        <span className={classes['sign']} aria-hidden />
      ) : (
        // Keys reach the same by the list, and by what takes back all filters.
        <button
          type="button"
          className={classes['sign']}
          aria-label={t.clear}
          tabIndex={-1}
          onClick={() => onChange(null)}
        >
          ✕
        </button>
      )}
      {opened && <Options {...{ id, label, options, value, at, choose }} />}
    </div>
  );
}

function Options({
  id,
  label,
  options,
  value,
  at,
  choose,
}: Pick<Props, 'label' | 'options' | 'value'> & {
  id: string;
  at: number;
  choose: (option: Option) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  // A long list shows where the keys have got to.
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <ul
      ref={list}
      id={`${id}-list`}
      className={classes['options']}
      role="listbox"
      aria-label={label}
    >
      {options.map((option, index) => (
        <li
          key={option.value}
          id={`${id}-${index}`}
          className={classes['option']}
          role="option"
          aria-selected={option.value === value}
          data-combobox-selected={index === at || undefined}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(option)}
        >
          {option.label}
        </li>
      ))}
    </ul>
  );
}

type Keyed = 'open' | 'close' | 'choose' | number | null;

/** What a key does: to the list as a whole, or where it leads in it; null is the browser's. */
function keyed(
  key: string,
  { opened, at, options }: { opened: boolean; at: number; options: readonly Option[] },
): Keyed {
  if (!opened) return ['Enter', ' ', 'ArrowDown', 'ArrowUp'].includes(key) ? 'open' : null;
  const last = options.length - 1;
  switch (key) {
    case 'ArrowDown':
      return at === last ? 0 : at + 1;
    case 'ArrowUp':
      return at <= 0 ? last : at - 1;
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'Enter':
    case ' ':
      return at === NONE ? 'close' : 'choose';
    case 'Escape':
      return 'close';
    default: {
      if (key.length > 1) return null;
      // The next one that begins with this letter.
      const begins = (option: Option): boolean =>
        option.label.toLowerCase().startsWith(key.toLowerCase());
      const after = options.findIndex((option, index) => index > at && begins(option));
      const found = after === NONE ? options.findIndex(begins) : after;
      return found === NONE ? null : found;
    }
  }
}
