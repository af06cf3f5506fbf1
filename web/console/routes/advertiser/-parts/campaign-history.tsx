import { HistoryList } from '../../../parts/history-list.tsx';
import { historyOf } from '../../../parts/history-search.ts';
import { stated } from '../../../parts/search.ts';
import { undoOfChange } from './undo-change.tsx';

/** Who changed what of a campaign. */
export function CampaignHistory({
  id,
  page,
  onPage,
}: {
  id: number;
  page: number | undefined;
  onPage: (page: number) => void;
}) {
  const query = historyOf('advertiser', {
    subject_type: 'campaign',
    subject_id: id,
    ...stated({ page }),
  });
  return <HistoryList query={query} undo={undoOfChange} onPage={onPage} />;
}
