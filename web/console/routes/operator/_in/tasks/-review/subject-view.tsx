import { lazy, type ReactNode, Suspense } from 'react';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { InventorySubject } from './inventory-subject.tsx';
import { KycView } from './kyc-view.tsx';
import { DepositView, WithdrawalView } from './money-view.tsx';
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
    case 'adgroup':
    case 'ad':
    case 'creative':
    case 'zone':
      return <InventorySubject type={subject.type} detail={detail} taskId={id} />;
    case 'site':
      return (
        <>
          <TransferView detail={detail} />
          <InventorySubject type="site" detail={detail} taskId={id} />
        </>
      );
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
