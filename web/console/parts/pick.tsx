import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { common } from '../texts/common.ts';
import classes from './choice.module.css';
import pick from './pick.module.css';
import { useTexts } from './texts.ts';

export interface Picked {
  value: string;
  label: string;
  /** Where things of several kinds are found. */
  type?: string;
}
/** Where a name leads to a number, and back. */
export interface PickSource {
  key: string;
  find: (text: string) => Promise<readonly Picked[]>;
  /** Empty: it has no name that may be read. */
  nameOf: (value: string) => Promise<string>;
}

interface Props {
  label: string;
  source: PickSource;
  /** A number. */
  value: string | null;
  onPick: (picked: Picked | null) => void;
}

const TYPING_MS = 200;
const LETTERS_MIN = 3;
const NONE = -1;

/** Chosen by name, or by number where that is what one has (ARIA's combobox with a list). */
export function Pick({ label, source, value, onPick }: Props) {
  const t = useTexts(common);
  const id = useId();
  /** Null: nobody types, and what is chosen stands there. */
  const [text, setText] = useState<string | null>(null);
  const [at, setAt] = useState(NONE);
  /** By its name at once, before that is asked for. */
  const [latest, setLatest] = useState<Picked>();
  const { options, isAsked } = useFound(source, text?.trim() ?? '');
  const { data: name } = useQuery({
    queryKey: ['pick', source.key, 'name', value],
    queryFn: async () => await source.nameOf(value ?? ''),
    enabled: value !== null,
  });
  const isOpen = text !== null && text.trim() !== '';
  const leave = (): void => {
    setText(null);
    setAt(NONE);
  };
  const choose = (option: Picked | undefined): void => {
    if (option === undefined) return;
    leave();
    setLatest(option);
    onPick(option);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter') choose(options[Math.max(at, 0)]);
    else if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setAt((at + step + options.length) % options.length);
    }
  };
  const given = latest?.value === value ? latest?.label : name;
  const isNamed = given !== undefined && given !== '';
  const chosen = value === null ? '' : isNamed ? given : `#${value}`;
  return (
    <div className={`${classes['field']} ${pick['field']}`}>
      <label className={classes['label']} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={`${classes['input']} ${pick['input']}`}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen && options[at] !== undefined ? `${id}-${at}` : undefined}
        autoComplete="off"
        placeholder={t.nameOrNumber}
        title={chosen}
        value={text ?? chosen}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(NONE);
        }}
        onBlur={() => {
          // Emptied: nothing is to be chosen any more.
          if (text?.trim() === '' && value !== null) onPick(null);
          leave();
        }}
        onKeyDown={onKey}
      />
      {value !== null && (
        <button
          type="button"
          className={classes['sign']}
          aria-label={t.clear}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            leave();
            onPick(null);
          }}
        >
          ✕
        </button>
      )}
      {isOpen && <Options {...{ id, label, options, at, choose, isAsked }} />}
    </div>
  );
}

/** `isAsked`: the answer is that of this text. */
function useFound(source: PickSource, text: string): { options: Picked[]; isAsked: boolean } {
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const number = /^#?([1-9]\d{0,14})$/.exec(text)?.[1];
  const isEnough = text.length >= LETTERS_MIN || number !== undefined;
  const { data } = useQuery({
    queryKey: ['pick', source.key, settled],
    queryFn: async () => await source.find(settled),
    enabled: isEnough && settled === text,
  });
  const found = settled === text && isEnough ? (data ?? []) : [];
  const isKnown = number === undefined || found.some(({ value }) => value === number);
  // Whoever may not read names has numbers still.
  const plain = isKnown || number === undefined ? [] : [{ value: number, label: `#${number}` }];
  return { options: [...found, ...plain], isAsked: isEnough && data !== undefined };
}

interface OptionsProps {
  id: string;
  label: string;
  options: readonly Picked[];
  at: number;
  choose: (option: Picked) => void;
  isAsked: boolean;
}

function Options({ id, label, options, at, choose, isAsked }: OptionsProps) {
  const t = useTexts(common);
  return (
    <div className={`${classes['options']} ${pick['options']}`}>
      <ul id={`${id}-list`} className={pick['list']} role="listbox" aria-label={label}>
        {options.map((option, index) => (
          <li
            key={`${option.value} ${option.label}`}
            id={`${id}-${index}`}
            className={classes['option']}
            role="option"
            aria-selected={index === at}
            data-combobox-selected={index === at || undefined}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            {option.label}
          </li>
        ))}
      </ul>
      {options.length === 0 && (
        <p className={pick['none']} role="status">
          {isAsked ? t.noneSoCalled : t.typeMore}
        </p>
      )}
    </div>
  );
}
