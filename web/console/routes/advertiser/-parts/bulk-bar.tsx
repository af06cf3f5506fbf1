import { Button, Group, List, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { ActionButton } from '../../../parts/action.tsx';
import { useState } from 'react';
import type { Answer } from '../../../../client/client.ts';
import { useWrite } from '../../../api.ts';
import { Failed } from '../../../parts/failed.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { told } from '../../../parts/toast.ts';
import { BULK, type BulkLevel } from '../../../queries/advertiser/bulk.ts';
import { bulkTexts } from '../../../texts/advertiser/bulk.ts';
import { common } from '../../../texts/common.ts';

const COMMON = ['pause', 'resume', 'submit_audit', 'archive'] as const;
const VALUED = ['set_bid', 'set_daily_budget'] as const;
type BulkAction = (typeof COMMON)[number] | (typeof VALUED)[number];
type Outcome = Answer<'POST /api/advertiser/campaigns/bulk'>;

const isValued = (action: BulkAction): boolean => (VALUED as readonly string[]).includes(action);

interface Props {
  level: BulkLevel;
  chosen: ReadonlySet<number>;
  onChoose: (ids: ReadonlySet<number>) => void;
  /** What a row is called, for those that are refused. */
  nameOf: (id: number) => string;
}

/** Above a list while rows are chosen: what can be done to all of them. */
export function BulkBar({ level, chosen, onChoose, nameOf }: Props) {
  const t = useTexts(bulkTexts);
  const [action, setAction] = useState<BulkAction>();
  if (chosen.size === 0) return null;
  const actions = level === 'ad' ? COMMON : [...COMMON, ...VALUED];
  return (
    <Group gap="xs" role="toolbar" aria-label={t.chosen(chosen.size)}>
      <Text size="sm" fw={600}>
        {t.chosen(chosen.size)}
      </Text>
      {actions.map((each) => (
        <ActionButton
          key={each}
          action={{ label: t.actions[each], run: async () => setAction(each) }}
          size="compact-sm"
          variant="default"
        />
      ))}
      <Button size="compact-sm" variant="subtle" onClick={() => onChoose(new Set())}>
        {t.clear}
      </Button>
      {action !== undefined && (
        <BulkDialog
          {...{ level, action, nameOf }}
          ids={[...chosen]}
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
function BulkDialog(props: {
  level: BulkLevel;
  action: BulkAction;
  ids: number[];
  nameOf: (id: number) => string;
  onClose: (isDone: boolean) => void;
}) {
  const { level, action, ids, nameOf, onClose } = props;
  const t = useTexts(bulkTexts);
  const c = useTexts(common);
  const [value, setValue] = useState<number | string>('');
  const [outcome, setOutcome] = useState<Outcome>();
  // What is refused as a whole is shown by the dialog.
  const { mutate, isPending, error } = useWrite(BULK[level]);
  const start = (isDry: boolean): void => {
    const given = isValued(action) ? { value: value === '' ? null : Number(value) } : {};
    const body = { action: action as 'pause', ids, ...given, dry_run: isDry };
    mutate(
      { body },
      {
        onSuccess: (made) => {
          setOutcome(made as Outcome);
          if (isDry || made.failed > 0) return;
          told(t.done(made.done));
          onClose(true);
        },
      },
    );
  };
  const isDone = outcome?.dry_run === false;
  return (
    <Modal
      opened
      onClose={() => onClose(isDone)}
      title={`${t.actions[action]} (${ids.length})`}
      closeButtonProps={{ 'aria-label': c.close }}
      centered
    >
      <Stack>
        {isValued(action) && (
          <NumberInput
            label={t.value}
            description={action === 'set_daily_budget' ? t.valueHelp : undefined}
            prefix="$"
            decimalScale={6}
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
          {outcome === undefined ? (
            <Button loading={isPending} onClick={() => start(true)}>
              {t.preview}
            </Button>
          ) : (
            !isDone && (
              <Button
                loading={isPending}
                disabled={outcome.done === 0}
                onClick={() => start(false)}
              >
                {t.doIt}
              </Button>
            )
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function Told({ outcome, nameOf }: { outcome: Outcome; nameOf: (id: number) => string }) {
  const t = useTexts(bulkTexts);
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
            {refused.map(({ id, message, errors }) => (
              <List.Item key={id}>
                {nameOf(id)}: {[message, ...errors.map((each) => each.message)].join(' ')}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  );
}
