import { useWrite } from '../../../api.ts';
import { BulkBar, type BulkAction, type BulkOutcome } from '../../../parts/bulk-bar.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { BULK, type BulkLevel } from '../../../queries/advertiser/bulk.ts';
import { submitWithDrafts } from '../../../queries/advertiser/submit-all.ts';
import { bulkTexts } from '../../../texts/advertiser/bulk.ts';
import { useNotSubmitted } from './use-submit.ts';

const COMMON = ['pause', 'resume', 'submit_audit', 'archive'] as const;
const VALUED = ['set_bid', 'set_daily_budget'] as const;

const isPriced = (level: BulkLevel): boolean => level === 'campaign' || level === 'adgroup';

/** What can be done to many of a level at once. */
export function InventoryBulk(props: {
  level: BulkLevel;
  chosen: ReadonlySet<number>;
  onChoose: (ids: ReadonlySet<number>) => void;
  nameOf: (id: number) => string;
}) {
  const { level, ...bar } = props;
  const t = useTexts(bulkTexts);
  const { mutateAsync } = useWrite(BULK[level]);
  const called = useNotSubmitted();
  /** With the drafts below, as each of them alone; a draft below that was refused is told too. */
  const submit = async (things: { id: number; name: string }[]): Promise<BulkOutcome> => {
    const refused = await submitWithDrafts(level, things);
    const failed = refused.filter((row) => row.level === level).length;
    return {
      dry_run: false,
      items: refused.map((row) => ({
        id: row.id,
        error: 'refused',
        told: called(row),
        message: row.reason,
        errors: [],
      })),
      done: things.length - failed,
      failed: refused.length,
    };
  };
  const actions = [
    ...COMMON.map((name) => ({ name, label: t.actions[name] })),
    ...VALUED.map((name) => ({
      name,
      label: t.actions[name],
      isValued: true,
      ...(name === 'set_daily_budget' ? { none: t.valueHelp } : { zero: t.zeroBid }),
      ...(name === 'set_bid' && level === 'adgroup' ? { none: t.asCampaign } : {}),
    })),
  ] satisfies readonly BulkAction<string>[];
  return (
    <BulkBar
      {...bar}
      route={BULK[level].route}
      actions={isPriced(level) ? actions : actions.slice(0, COMMON.length)}
      run={async ({ action, ...ask }) =>
        action === 'submit_audit' && !ask.dry_run
          ? await submit(ask.ids.map((id) => ({ id, name: bar.nameOf(id) })))
          : ((await mutateAsync({ body: { ...ask, action: action as 'pause' } })) as BulkOutcome)
      }
    />
  );
}
