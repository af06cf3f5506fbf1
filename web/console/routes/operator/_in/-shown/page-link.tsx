import { type ReactNode, useContext } from 'react';
import { mayOpenAt } from '../../../../may/operator.ts';
import { RowLink } from '../../../../parts/row-link.tsx';
import { MyRole } from './my-role.ts';

interface Props {
  /** As the address bar has it: `/operator/deposits/4`. */
  to: string;
  className?: string;
  underline?: 'always';
  'aria-label'?: string;
  children: ReactNode;
}

/** A link between pages of operators: words alone for whoever may not open where it leads. */
export function PageLink({ to, children, ...look }: Props) {
  const role = useContext(MyRole);
  if (role === undefined || !mayOpenAt(role, to)) {
    return <span className={look.className}>{children}</span>;
  }
  return (
    <RowLink to={to} {...look}>
      {children}
    </RowLink>
  );
}
