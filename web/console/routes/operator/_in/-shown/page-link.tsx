import { Anchor, type AnchorProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mayOpenAt } from '../../../../may/operator.ts';
import { linkTo } from '../../../../parts/link-to.ts';
import { profile } from '../../../../queries/operator/account.ts';

interface Props extends Pick<AnchorProps, 'size' | 'className' | 'underline'> {
  /** As the address bar has it: `/operator/deposits/4`. */
  to: string;
  children: ReactNode;
}

/** A link between pages of operators: words alone for whoever may not open where it leads. */
export function PageLink({ to, children, ...look }: Props) {
  const { data: me } = useQuery(profile);
  if (me === undefined || !mayOpenAt(me.role, to)) {
    return <span className={look.className}>{children}</span>;
  }
  const link = linkTo(to);
  return (
    <Anchor component={Link} to={link.to} search={link.search as never} {...look}>
      {children}
    </Anchor>
  );
}
