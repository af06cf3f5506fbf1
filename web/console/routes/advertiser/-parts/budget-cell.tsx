import { Button, Group, NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { useWrite } from '../../../api.ts';
import { AskedPopover } from '../../../parts/asked-popover.tsx';
import { ifMatch } from '../../../parts/edit-form.tsx';
import { Failed } from '../../../parts/failed.tsx';
import { Money } from '../../../parts/money.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { told } from '../../../parts/toast.ts';
import * as adGroup from '../../../queries/advertiser/ad-group.ts';
import * as campaign from '../../../queries/advertiser/campaign.ts';
import { inventory } from '../../../texts/advertiser/inventory.ts';
import { common } from '../../../texts/common.ts';

interface Row {
  id: number;
  name: string;
  version: number;
  daily_budget: number | null;
}

const SAVES = { campaign: campaign.save, adgroup: adGroup.save } as const;

/** A daily budget that is changed where it stands, in the list. */
export function BudgetCell({ level, row }: { level: keyof typeof SAVES; row: Row }) {
  const t = useTexts(inventory);
  return (
    <AskedPopover
      width={260}
      align="end"
      button={
        <>
          <span className="visually-hidden">{t.budgetOf(row.name)}: </span>
          {row.daily_budget === null ? t.noLimit : <Money amount={row.daily_budget} />}
        </>
      }
    >
      {(close) => <BudgetForm level={level} row={row} onDone={close} />}
    </AskedPopover>
  );
}

function BudgetForm(props: { level: keyof typeof SAVES; row: Row; onDone: () => void }) {
  const { level, row, onDone } = props;
  const t = useTexts(inventory);
  const c = useTexts(common);
  // What is refused is shown below.
  const { mutate, isPending, error } = useWrite(SAVES[level]);
  const [value, setValue] = useState<number | string>(row.daily_budget ?? '');
  const save = (): void => {
    const ask = {
      path: { id: row.id },
      headers: ifMatch(row.version),
      body: { daily_budget: value === '' ? null : Number(value) },
    };
    mutate(ask, {
      onSuccess: () => {
        told(t.saved);
        onDone();
      },
    });
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="xs">
        <NumberInput
          label={t.budgetOf(row.name)}
          description={t.budgetHelp}
          prefix="$"
          decimalScale={6}
          hideControls
          value={value}
          onChange={setValue}
          data-autofocus
        />
        {error !== null && <Failed error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button size="compact-sm" variant="default" onClick={onDone}>
            {c.cancel}
          </Button>
          <Button size="compact-sm" type="submit" loading={isPending}>
            {c.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
