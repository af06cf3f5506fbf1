import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useWrite } from '../../../api.ts';
import { AskedPopover } from '../../../parts/asked-popover.tsx';
import { EditForm, ifMatch } from '../../../parts/edit-form.tsx';
import { MoneyField } from '../../../parts/fields.tsx';
import { Money } from '../../../parts/money.tsx';
import { useForbidden } from '../../../parts/permission.tsx';
import { useMarks, useTexts } from '../../../parts/texts.ts';
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
  const marks = useMarks();
  return (
    <AskedPopover
      width={320}
      align="end"
      refusal={useForbidden(SAVES[level].route)}
      button={
        <>
          <span className="visually-hidden">{`${t.budgetOf(row.name)}${marks.colon}`}</span>
          {row.daily_budget === null ? t.noLimit : <Money amount={row.daily_budget} />}
        </>
      }
    >
      {(close) => <BudgetForm level={level} row={row} onDone={close} />}
    </AskedPopover>
  );
}

const valuesOf = ({ daily_budget }: Row) => ({ daily_budget });

function BudgetForm(props: { level: keyof typeof SAVES; row: Row; onDone: () => void }) {
  const { level, row, onDone } = props;
  const t = useTexts(inventory);
  const c = useTexts(common);
  const queries = useQueryClient();
  const { mutateAsync } = useWrite(SAVES[level]);
  const path = { id: row.id };
  const reread = async (): Promise<Row> => {
    // The list below shows it too.
    await Promise.all(
      SAVES[level].stale.map(async (name) => await queries.invalidateQueries({ queryKey: [name] })),
    );
    return level === 'campaign'
      ? await queries.fetchQuery({ ...campaign.one(row.id), staleTime: 0 })
      : await queries.fetchQuery({ ...adGroup.one(row.id), staleTime: 0 });
  };
  return (
    <EditForm
      route={SAVES[level].route}
      row={row}
      valuesOf={valuesOf}
      names={{ daily_budget: t.dailyBudget }}
      reread={reread}
      save={async (body, version) => {
        await mutateAsync({ path, headers: ifMatch(version), body });
        told(t.saved);
        onDone();
      }}
      cancel={
        <Button variant="default" onClick={onDone}>
          {c.cancel}
        </Button>
      }
    >
      <MoneyField name="daily_budget" label={t.budgetOf(row.name)} help={t.budgetHelp} />
    </EditForm>
  );
}
