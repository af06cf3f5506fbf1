import type { ReactNode } from 'react';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { CreativeView } from './creative-view.tsx';
import { AdGroupView, AdView, CampaignView } from './inventory-view.tsx';
import { KycView } from './kyc-view.tsx';
import { DepositView, WithdrawalView } from './money-view.tsx';
import { SiteView, ZoneView } from './place-view.tsx';
import { TransferView } from './transfer-view.tsx';
import { ReversalView } from './reversal-view.tsx';
import { RemovalView } from './removal-view.tsx';

/** What the question is about. */
export function SubjectView({
  task: { id, subject, detail, kind },
}: {
  task: TaskPage;
}): ReactNode {
  switch (subject.type) {
    case 'campaign':
      return <CampaignView detail={detail} />;
    case 'adgroup':
      return <AdGroupView detail={detail} />;
    case 'ad':
      return <AdView detail={detail} taskId={id} />;
    case 'creative':
      return <CreativeView detail={detail} taskId={id} />;
    case 'site':
      return (
        <>
          <TransferView detail={detail} />
          <SiteView detail={detail} />
        </>
      );
    case 'zone':
      return <ZoneView detail={detail} />;
    case 'kyc':
      return <KycView detail={detail} />;
    case 'deposit':
      return <DepositView detail={detail} />;
    case 'withdrawal':
      return <WithdrawalView detail={detail} kind={kind} />;
    case 'removal_appeal':
      return <RemovalView detail={detail} />;
    case 'reversal':
      return <ReversalView detail={detail} />;
    default:
      return null;
  }
}
