import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { common } from '../texts/common.ts';
import { picking } from '../texts/picking.ts';
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
  /** Names the route that is asked: what was found goes with its session. */
  key: string;
  /** Few enough that the first of them are shown before anything is typed. */
  isListed?: boolean;
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
  /** What holds while nothing is chosen. */
  unset?: string;
}

const TYPING_MS = 200;
const LETTERS_MIN = 3;
const NONE = -1;

/** Chosen by name, or by number where that is what one has (ARIA's combobox with a list). */
export function Pick(props: Props) {
  const id = useId();
  return (
    <div className={`${classes['field']} ${pick['field']}`}>
      <label className={classes['label']} htmlFor={id}>
        {props.label}
      </label>
      <PickInput {...props} id={id} />
    </div>
  );
}

/** The same where something else names it: what a form adds goes to the field itself. */
export function PickInput({
  id,
  label,
  source,
  value,
  onPick,
  unset,
  isNeeded = false,
  onLeave,
  ...own
}: Props & {
  id: string;
  /** One of them stays chosen. */
  isNeeded?: boolean;
  onLeave?: () => void;
} & Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'placeholder'>) {
  const t = useTexts(picking);
  const c = useTexts(common);
  /** Null: nobody types, and what is chosen stands there. */
  const [text, setText] = useState<string | null>(null);
  const [isOpened, setOpened] = useState(false);
  const [at, setAt] = useState(NONE);
  /** By its name at once, before that is asked for. */
  const [latest, setLatest] = useState<Picked>();
  const typed = text?.trim() ?? '';
  const isOpen = isOpened && (source.isListed === true || typed !== '');
  const { options, isAsked } = useFound(source, typed, isOpen);
  const { data: name } = useQuery({
    queryKey: [source.key, 'name', value],
    queryFn: async () => await source.nameOf(value ?? ''),
    enabled: value !== null,
    ...freshness(source),
  });
  const leave = (): void => {
    setText(null);
    setOpened(false);
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
    else if (event.key === 'Enter' && isOpen) {
      // Chosen, not sent with the form around it.
      event.preventDefault();
      choose(options[typed === '' ? at : Math.max(at, 0)]);
    } else if (step !== undefined) {
      event.preventDefault();
      setOpened(true);
      if (options.length > 0)
        setAt((Math.max(at, step === 1 ? NONE : 0) + step + options.length) % options.length);
    }
  };
  const given = latest?.value === value ? latest?.label : name;
  const isNamed = given !== undefined && given !== '';
  const chosen = value === null ? '' : isNamed ? given : `#${value}`;
  return (
    <div className={pick['box']}>
      <input
        {...own}
        id={id}
        className={`${classes['input']} ${pick['input']}`}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen && options[at] !== undefined ? `${id}-${at}` : undefined}
        autoComplete="off"
        placeholder={unset ?? t.nameOrNumber}
        title={chosen}
        value={text ?? chosen}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={() => setOpened(true)}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpened(true);
          setAt(NONE);
        }}
        onBlur={() => {
          // Emptied: nothing is to be chosen any more.
          if (text?.trim() === '' && value !== null && !isNeeded) onPick(null);
          leave();
          onLeave?.();
        }}
        onKeyDown={onKey}
      />
      {value !== null && !isNeeded && (
        <button
          type="button"
          className={classes['sign']}
          aria-label={c.clear}
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
function useFound(
  source: PickSource,
  text: string,
  isOpen: boolean,
): { options: Picked[]; isAsked: boolean } {
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const number = /^#?([1-9]\d{0,14})$/.exec(text)?.[1];
  const isListed = source.isListed === true;
  const isEnough = isListed || text.length >= LETTERS_MIN || number !== undefined;
  const { data } = useQuery({
    queryKey: [source.key, 'found', settled],
    queryFn: async () => await source.find(settled),
    enabled: isOpen && isEnough && settled === text,
    ...freshness(source),
  });
  const found = settled === text && isEnough ? (data ?? []) : [];
  const isKnown = isListed || number === undefined || found.some(({ value }) => value === number);
  // Whoever may not read names has numbers still.
  const plain = isKnown || number === undefined ? [] : [{ value: number, label: `#${number}` }];
  return { options: [...found, ...plain], isAsked: isEnough && data !== undefined };
}

/** What is read by other pages too is as fresh as they made it. */
const freshness = ({ isListed }: PickSource): { staleTime?: number } =>
  isListed === true ? { staleTime: 0 } : {};

interface OptionsProps {
  id: string;
  label: string;
  options: readonly Picked[];
  at: number;
  choose: (option: Picked) => void;
  isAsked: boolean;
}

function Options({ id, label, options, at, choose, isAsked }: OptionsProps) {
  const t = useTexts(picking);
  const list = useRef<HTMLUListElement>(null);
  // A long list shows where the keys have got to.
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div className={`${classes['options']} ${pick['options']}`}>
      <ul ref={list} id={`${id}-list`} className={pick['list']} role="listbox" aria-label={label}>
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
