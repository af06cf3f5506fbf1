import { lazy, type ReactNode, Suspense } from 'react';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { CreativeView } from './creative-view.tsx';
import { AdGroupView, AdView, CampaignView } from './inventory-view.tsx';
import { KycView } from './kyc-view.tsx';
import { DepositView, WithdrawalView } from './money-view.tsx';
import { SiteView, ZoneView } from './place-view.tsx';
import { TransferView } from './transfer-view.tsx';

/** Asked seldom, and of tables of their own: most tasks do without. */
const ReversalView = lazy(async () => {
  const { ReversalView: view } = await import('./reversal-view.tsx');
  return { default: view };
});
const RemovalView = lazy(async () => {
  const { RemovalView: view } = await import('./removal-view.tsx');
  return { default: view };
});

/** What the question is about; `children` stand behind what their decision is about, and before what was earlier. */
export function SubjectView({
  task,
  children,
}: {
  task: TaskPage;
  children: ReactNode;
}): ReactNode {
  const { id, subject, detail, kind } = task;
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
      return <DepositView detail={detail} kind={kind} />;
    case 'withdrawal':
      return <WithdrawalView task={task}>{children}</WithdrawalView>;
    case 'removal_appeal':
      return (
        <Suspense>
          <RemovalView detail={detail} />
        </Suspense>
      );
    case 'reversal':
      return (
        <Suspense>
          <ReversalView detail={detail} />
        </Suspense>
      );
    default:
      return null;
  }
}
