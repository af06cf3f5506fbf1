import { useEffect, useRef, useState } from 'react';
import { common } from '../texts/common.ts';
import { listFile } from '../texts/list-file.ts';
import { Failed } from './failed.tsx';
import type { FileFigures, ListFile, Written } from './list-file.ts';
import classes from './list-page.module.css';
import type { ListQuery } from './list-page.tsx';
import { usePreferences } from './preferences.tsx';
import { RowButton } from './row-button.tsx';
import { saveText } from './save-csv.ts';
import { useTexts } from './texts.ts';

/** A list as a file: what is in it, and the figures that the page shows beside its rows. */
export interface ListSaved<Row> extends ListFile<Row> {
  figures?: { file: FileFigures | undefined; timeZone: string };
}

type Reading = { rows: number; total: number };
interface State {
  reading?: Reading;
  written?: Written;
  error?: Error;
}

/** Saves all pages of a list, as it is narrowed and ordered now, with the figures that are shown. */
export function ListCsv<Row extends { id: number }>({
  file,
  query,
}: {
  file: ListSaved<Row>;
  query: ListQuery<Row>;
}) {
  const t = useTexts(listFile);
  const { cancel } = useTexts(common);
  const preferences = usePreferences();
  const [{ reading, written, error }, setState] = useState<State>({});
  const stop = useRef<AbortController>(null);
  // Whoever leaves the page has no use for the rest of the file.
  useEffect(() => () => stop.current?.abort(), []);
  const timeZone = file.figures?.timeZone ?? preferences.timeZone;
  const save = async (): Promise<void> => {
    const going = new AbortController();
    stop.current = going;
    setState({ reading: { rows: 0, total: 0 } });
    try {
      const { writeList } = await import('./list-file.ts');
      const whole = await writeList({
        file,
        query,
        figures: file.figures?.file,
        timeZone,
        signal: going.signal,
        onProgress: (rows, total) => setState({ reading: { rows, total } }),
      });
      if (going.signal.aborted) return;
      saveText(`${file.name}-${today(timeZone)}.csv`, whole.text);
      setState({ written: whole });
    } catch (raised) {
      setState(going.signal.aborted ? {} : { error: raised as Error });
    }
  };
  return (
    <div className={classes['file']}>
      {reading === undefined ? (
        <RowButton onClick={() => void save()}>{t.save}</RowButton>
      ) : (
        <>
          <progress
            aria-label={t.reading}
            {...(reading.total === 0 ? {} : { value: reading.rows, max: reading.total })}
          />
          <RowButton
            onClick={() => {
              stop.current?.abort();
              setState({});
            }}
          >
            {cancel}
          </RowButton>
        </>
      )}
      <span role="status">
        {reading !== undefined && t.rowsRead(reading.rows, reading.total)}
        {written !== undefined && <Said written={written} />}
      </span>
      {error !== undefined && <Failed error={error} again={() => void save()} />}
    </div>
  );
}

function Said({ written: { rows, total, isMoved } }: { written: Written }) {
  const t = useTexts(listFile);
  if (isMoved) return t.moved(rows);
  return rows < total ? t.cut(rows, total) : t.saved(rows);
}

/** The day on which it was saved, where its reader is. */
const today = (timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date());
