import { Button, Group, List, NumberInput, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { bulk } from '../texts/bulk.ts';
import { ActionButton } from './action.tsx';
import classes from './bulk-bar.module.css';
import { Failed } from './failed.tsx';
import { useSaid } from './said.ts';
import { useMarks, useTexts } from './texts.ts';
import { told } from './toast.ts';

export interface BulkAction<Name extends string> {
  name: Name;
  label: string;
  /** Sets an amount. */
  isValued?: boolean;
  /** What it means to give none, where that may be, */
  none?: string;
  /** and what nothing means, where it may be given and is mostly a slip. */
  zero?: string;
}

/** What every bulk route answers: each row for itself. */
export interface BulkOutcome {
  dry_run: boolean;
  items: readonly {
    id: number;
    error: string | null;
    message: string | null;
    errors: readonly { message: string }[];
    /** Why, where it is no row of the list. */
    told?: string;
  }[];
  done: number;
  failed: number;
}

interface BulkProps<Name extends string> {
  actions: readonly BulkAction<Name>[];
  chosen: ReadonlySet<number>;
  onChoose: (ids: ReadonlySet<number>) => void;
  /** What a row is called, for those that are refused. */
  nameOf: (id: number) => string;
  /** What `run` calls, where that is not what its page changes: roles are asked for it. */
  route?: string;
  run: (ask: {
    action: Name;
    ids: number[];
    /** null: none. */
    value?: number | null;
    dry_run: boolean;
  }) => Promise<BulkOutcome>;
}

/** Below a list while rows are chosen: what can be done to all of them. */
export function BulkBar<Name extends string>(props: BulkProps<Name>) {
  const { actions, chosen, onChoose, route } = props;
  const t = useTexts(bulk);
  const [action, setAction] = useState<BulkAction<Name>>();
  if (chosen.size === 0) return null;
  return (
    <Group gap="xs" role="toolbar" aria-label={t.chosen(chosen.size)} className={classes['bar']}>
      <Text size="sm" fw={600}>
        {t.chosen(chosen.size)}
      </Text>
      {actions.map((each) => (
        <ActionButton
          key={each.name}
          action={{
            label: each.label,
            ...(route === undefined ? {} : { route }),
            opens: true,
            run: async () => setAction(each),
          }}
          size="compact-sm"
          variant="default"
        />
      ))}
      <Button size="compact-sm" variant="subtle" onClick={() => onChoose(new Set())}>
        {t.clear}
      </Button>
      {action !== undefined && (
        <BulkDialog
          {...props}
          action={action}
          onClose={(isDone) => {
            setAction(undefined);
            if (isDone) onChoose(new Set());
          }}
        />
      )}
    </Group>
  );
}

/** First what would happen, by the same rules, then doing it; each refused row says why. */
function BulkDialog<Name extends string>(
  props: BulkProps<Name> & { action: BulkAction<Name>; onClose: (isDone: boolean) => void },
) {
  const { action, chosen, nameOf, run, onClose } = props;
  const t = useTexts(bulk);
  const marks = useMarks();
  const [value, setValue] = useState<number | string>('');
  const [outcome, setOutcome] = useState<BulkOutcome>();
  const [error, setError] = useState<Error | null>(null);
  const [isPending, setPending] = useState(false);
  const start = (isDry: boolean): void => {
    setPending(true);
    setError(null);
    const amount = value === '' ? null : Number(value);
    const given = action.isValued === true ? { value: amount } : {};
    run({ action: action.name, ids: [...chosen], ...given, dry_run: isDry })
      .then((made) => {
        setOutcome(made);
        if (isDry || made.failed > 0) return;
        told(t.done(made.done));
        onClose(true);
      })
      .catch((raised: unknown) => setError(raised as Error))
      .finally(() => setPending(false));
  };
  const isAsked = useRef(action.isValued === true);
  // What needs no amount is looked at as it is opened: there is nothing to be asked before.
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    start(true);
  });
  const isDone = outcome?.dry_run === false;
  return (
    <Dialog
      onClose={() => onClose(isDone)}
      title={`${action.label}${marks.open}${chosen.size}${marks.close}`}
      centered
    >
      <Stack>
        {action.isValued === true && (
          <NumberInput
            label={t.value}
            description={value === 0 ? (action.zero ?? action.none) : action.none}
            prefix="$"
            decimalScale={6}
            clampBehavior="none"
            hideControls
            value={value}
            onChange={(next) => {
              setValue(next);
              setOutcome(undefined);
            }}
            data-autofocus
          />
        )}
        {outcome !== undefined && <Told outcome={outcome} nameOf={nameOf} />}
        {error !== null && <Failed error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onClose(isDone)}>
            {t.close}
          </Button>
          {!isDone && (
            <Button
              loading={isPending}
              disabled={
                outcome === undefined
                  ? action.isValued === true && action.none === undefined && value === ''
                  : outcome.done === 0
              }
              onClick={() => start(outcome === undefined)}
            >
              {outcome === undefined ? t.preview : t.doIt}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function Told({ outcome, nameOf }: { outcome: BulkOutcome; nameOf: (id: number) => string }) {
  const t = useTexts(bulk);
  const marks = useMarks();
  const said = useSaid();
  const refused = outcome.items.filter(({ error }) => error !== null);
  return (
    <Stack gap="xs" aria-live="polite">
      <Text size="sm">{outcome.dry_run ? t.will(outcome.done) : t.done(outcome.done)}</Text>
      {refused.length > 0 && (
        <>
          <Text size="sm">
            {outcome.dry_run ? t.wont(refused.length) : t.failed(refused.length)}
          </Text>
          <List size="sm">
            {refused.map(({ id, message, errors, told: own }) => (
              <List.Item key={own ?? id}>
                {own ??
                  `${nameOf(id)}${marks.colon}${[message ?? '', ...errors.map((each) => each.message)].map(said).join(' ')}`}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  );
}
