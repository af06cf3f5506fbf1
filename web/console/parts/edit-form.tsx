import { Alert, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import { ApiError, type RouteName } from '../../client/client.ts';
import { common } from '../texts/common.ts';
import { changesBetween, Diff } from './diff.tsx';
import { Failed } from './failed.tsx';
import { Form } from './form.tsx';
import { useTexts } from './texts.ts';

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

interface Conflict<Values, Row> {
  mine: Values;
  theirs: Row;
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
  const [conflict, setConflict] = useState<Conflict<Values, Row> | null>(null);
  const send = async (values: Values): Promise<void> => {
    try {
      await save(values, row.version);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      setConflict({ mine: values, theirs: await reread() });
      throw error;
    }
  };
  return (
    <Stack>
      {conflict !== null && (
        <ConflictBox
          before={valuesOf(conflict.theirs)}
          after={conflict.mine}
          names={names}
          keep={async () => await save(conflict.mine, conflict.theirs.version)}
          take={() => {
            setRow(conflict.theirs);
            setConflict(null);
          }}
        />
      )}
      <Form<Values>
        key={row.version}
        values={valuesOf(row) as DefaultValues<Values>}
        send={send}
        route={route}
        cancel={cancel}
        {...(focusOn === undefined ? {} : { focusOn })}
      >
        {typeof children === 'function' ? children(row) : children}
      </Form>
    </Stack>
  );
}

function ConflictBox(props: {
  before: object;
  after: object;
  names: Record<string, string>;
  keep: () => Promise<unknown>;
  take: () => void;
}) {
  const { before, after, names, keep, take } = props;
  const t = useTexts(common);
  const [error, setError] = useState<Error | null>(null);
  return (
    <Alert color="yellow" variant="light" title={t.conflict} role="alert">
      {t.conflictHelp}
      <Diff changes={changesBetween(before, after)} names={names} />
      {error !== null && <Failed error={error} />}
      <Group mt="sm">
        <Button size="sm" onClick={() => void keep().catch((raised: Error) => setError(raised))}>
          {t.keepMine}
        </Button>
        <Button size="sm" variant="default" onClick={take}>
          {t.takeTheirs}
        </Button>
      </Group>
    </Alert>
  );
}

/** `If-Match` of a version that was seen. */
export const ifMatch = (version: number): { 'If-Match': string } => ({
  'If-Match': `"${version}"`,
});
