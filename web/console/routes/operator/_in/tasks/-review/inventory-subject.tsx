import type { ReactNode } from 'react';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { CreativeView } from './creative-view.tsx';
import { AdGroupView, AdView, CampaignView } from './inventory-view.tsx';
import { SiteView, ZoneView } from './place-view.tsx';

/** What an account runs, as reviewers see it; `taskId` null: nobody is asked about it now. */
export function InventorySubject({
  type,
  detail,
  taskId,
}: {
  type: 'campaign' | 'adgroup' | 'ad' | 'creative' | 'site' | 'zone';
  detail: TaskPage['detail'];
  taskId: number | null;
}): ReactNode {
  switch (type) {
    case 'campaign':
      return <CampaignView detail={detail} />;
    case 'adgroup':
      return <AdGroupView detail={detail} />;
    case 'ad':
      return <AdView detail={detail} taskId={taskId} />;
    case 'creative':
      return <CreativeView detail={detail} taskId={taskId} />;
    case 'site':
      return <SiteView detail={detail} />;
    case 'zone':
      return <ZoneView detail={detail} />;
  }
}
