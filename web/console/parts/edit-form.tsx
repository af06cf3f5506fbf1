import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import type { RouteName } from '../../client/client.ts';
import { changesBetween } from './diff.tsx';
import { Form, isOvertaken } from './form.tsx';

/** Hardly anybody is overtaken. */
const ConflictBox = lazy(async () => {
  const { ConflictBox: shown } = await import('./conflict-box.tsx');
  return { default: shown };
});

interface EditFormProps<Values extends FieldValues, Row> {
  row: Row;
  /** The form's values of a record, named as the API names them. */
  valuesOf: (row: Row) => Values;
  /** Sends them with this version in `If-Match`; leads on when that was done. */
  save: (values: Values, version: number) => Promise<unknown>;
  route: RouteName;
  /** The record as it is now. */
  reread: () => Promise<Row>;
  /** Words of its fields. */
  names?: Record<string, string>;
  cancel?: ReactNode;
  /** Of this field, where the form was opened for it. */
  focusOn?: string | undefined;
  children: ReactNode | ((row: Row) => ReactNode);
}

/**
 * Changes a record that others may change too: whoever comes second sees what is different now, and
 * keeps theirs or takes the other's.
 */
export function EditForm<Values extends FieldValues, Row extends { version: number }>(
  props: EditFormProps<Values, Row>,
) {
  const { valuesOf, save, route, reread, names = {}, cancel, focusOn, children } = props;
  const [row, setRow] = useState(props.row);
  const [theirs, setTheirs] = useState<Row | null>(null);
  const [isSaved, setSaved] = useState(false);
  // What is written over: nobody has seen more than that.
  const seen = useRef(row);
  // A page that goes on showing its form shows what was saved, whenever that was read anew; what somebody
  // else has saved meanwhile waits until this form is sent, so that nothing written is lost.
  if (isSaved && props.row.version !== row.version) {
    setRow(props.row);
    setTheirs(null);
    setSaved(false);
  }
  // The next edit is of the record that is shown then.
  useEffect(() => {
    seen.current = row;
  }, [row]);
  const send = async (values: Values): Promise<void> => {
    try {
      await save(values, seen.current.version);
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      const now = await reread();
      // Nothing that the form shows has changed; or it was this form, whose answer was lost.
      const isSame = [valuesOf(seen.current), values].some(
        (known) => changesBetween(known, valuesOf(now)).length === 0,
      );
      if (!isSame) {
        setTheirs(now);
        throw error;
      }
      await save(values, now.version);
    }
    setSaved(true);
  };
  return (
    <Form<Values>
      key={row.version}
      values={valuesOf(row) as DefaultValues<Values>}
      send={send}
      route={route}
      cancel={cancel}
      overtaken={
        theirs === null ? undefined : (
          <Suspense>
            <ConflictBox
              theirs={valuesOf(theirs)}
              names={names}
              onKeep={() => {
                seen.current = theirs;
              }}
              onTake={() => setRow(theirs)}
            />
          </Suspense>
        )
      }
      {...(focusOn === undefined ? {} : { focusOn })}
    >
      {typeof children === 'function' ? children(row) : children}
    </Form>
  );
}

/** `If-Match` of a version that was seen. */
export const ifMatch = (version: number): { 'If-Match': string } => ({
  'If-Match': `"${version}"`,
});
