import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { common } from '../texts/common.ts';
import { useFocusBack } from './focus.ts';
import classes from './palette-dialog.module.css';
import { useTexts } from './texts.ts';

export interface PaletteEntry {
  label: string;
  description?: string;
  to: string;
}
export type PaletteSearch = (text: string) => Promise<readonly PaletteEntry[]>;

interface Props {
  entries: readonly PaletteEntry[];
  search?: PaletteSearch;
  close: () => void;
}

const TYPING_MS = 200;
const SEARCH_FROM = 2;
const SHOWN_MAX = 12;

/** The browser's own dialog with a field that chooses from the list below it (ARIA's combobox). */
export function PaletteDialog({ entries, search, close }: Props) {
  const t = useTexts(common);
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  useFocusBack();
  // Opened by call alone is the page behind it at rest.
  useEffect(() => dialog.current?.showModal(), []);
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const { data, isFetching } = useQuery({
    queryKey: ['palette', settled],
    queryFn: async () => (await search?.(settled)) ?? [],
    enabled: search !== undefined && isSought(settled.trim()),
  });
  const isLooked =
    isFetching || (settled !== text && search !== undefined && isSought(text.trim()));
  const found = settled === text ? (data ?? []) : [];
  const shown = [...entries.filter(matching(text)), ...found].slice(0, SHOWN_MAX);
  const go = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    close();
    void navigate({ href: entry.to });
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) go(shown[at]);
    else if (shown.length > 0) setAt((at + step + shown.length) % shown.length);
  };
  return (
    <dialog
      ref={dialog}
      className={classes['dialog']}
      role="dialog"
      aria-modal
      aria-label={t.palette}
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <input
        className={classes['input']}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
        aria-label={t.palette}
        placeholder={t.palette}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      {shown.length === 0 ? (
        <p className={classes['none']}>{isLooked ? t.loading : t.none}</p>
      ) : (
        <ul id={`${id}-list`} className={classes['options']} role="listbox" aria-label={t.palette}>
          {shown.map((entry, index) => (
            <Option
              key={`${entry.to} ${entry.label}`}
              id={`${id}-${index}`}
              entry={entry}
              isAt={index === at}
              go={() => go(entry)}
            />
          ))}
        </ul>
      )}
    </dialog>
  );
}

/** A number may have one digit. */
const isSought = (text: string): boolean => text.length >= SEARCH_FROM || /^\d$/.test(text);

/** Every word is somewhere in its name. */
const matching =
  (text: string) =>
  ({ label }: PaletteEntry): boolean =>
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => label.toLowerCase().includes(word));

function Option(props: { id: string; entry: PaletteEntry; isAt: boolean; go: () => void }) {
  const { id, entry, isAt, go } = props;
  const option = useRef<HTMLLIElement>(null);
  // A long list shows where the keys have got to.
  useEffect(() => {
    if (isAt) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isAt]);
  return (
    <li
      ref={option}
      id={id}
      className={classes['option']}
      role="option"
      aria-selected={isAt}
      data-combobox-selected={isAt || undefined}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={go}
    >
      {entry.label}
      {entry.description !== undefined && (
        <div className={classes['more']}>{entry.description}</div>
      )}
    </li>
  );
}
