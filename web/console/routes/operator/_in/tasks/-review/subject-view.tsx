import { lazy, type ReactNode, Suspense } from 'react';
import { Loading } from '../../../../../parts/loading.tsx';
import type { TaskPage } from '../../../../../queries/operator/task.ts';
import { InventorySubject } from './inventory-subject.tsx';
import { KycView } from './kyc-view.tsx';
import { TransferView } from './transfer-view.tsx';

/** Asked of some alone, or seldom: most tasks do without. */
const DepositView = lazy(async () => {
  const { DepositView: view } = await import('./money-view.tsx');
  return { default: view };
});
const WithdrawalView = lazy(async () => {
  const { WithdrawalView: view } = await import('./money-view.tsx');
  return { default: view };
});
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
      return (
        <Suspense fallback={<Loading height={320} />}>
          <DepositView detail={detail} kind={kind} />
        </Suspense>
      );
    case 'withdrawal':
      return (
        <Suspense fallback={<Loading height={320} />}>
          <WithdrawalView task={task}>{children}</WithdrawalView>
        </Suspense>
      );
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
