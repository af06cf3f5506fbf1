import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './nav.module.css';
import { RowLink } from './row-link.tsx';

export interface MenuEntry {
  to: string;
  text: string;
  /** Shown beside it, such as how many wait. */
  badge?: ReactNode;
  /** Only this address, not those below it. */
  exact?: boolean;
  /** Under which word it stands with its neighbours. */
  group?: string | undefined;
  /** Why it cannot be opened: shown disabled with these words. */
  refusal?: string | null;
  /** What it cannot be opened without: roles are asked for it. */
  route?: string;
}

/** The pages of a console, those that belong together under one word. */
export function Nav({ menu, close }: { menu: readonly MenuEntry[]; close: () => void }) {
  const pathname = useLocation({ select: (at) => at.pathname });
  return groupsOf(menu).map(({ group, entries }) => (
    <div key={group ?? ''}>
      {group !== undefined && <div className={classes['group']}>{group}</div>}
      {entries.map((entry) => (
        <Entry key={entry.to} entry={entry} isHere={isAt(pathname, entry)} close={close} />
      ))}
    </div>
  ));
}

const isAt = (pathname: string, { to, exact }: MenuEntry): boolean =>
  pathname.replace(/\/$/, '') === to || (exact !== true && pathname.startsWith(`${to}/`));

/** Neighbours under one word; what has none stands alone. */
function groupsOf(menu: readonly MenuEntry[]) {
  const groups: { group: string | undefined; entries: MenuEntry[] }[] = [];
  for (const entry of menu) {
    const last = groups.at(-1);
    if (last !== undefined && last.group === entry.group) last.entries.push(entry);
    else groups.push({ group: entry.group, entries: [entry] });
  }
  return groups;
}

function Entry({ entry, isHere, close }: { entry: MenuEntry; isHere: boolean; close: () => void }) {
  const { to, text, badge, refusal = null } = entry;
  if (refusal !== null) {
    return (
      <span
        className={classes['entry']}
        role="link"
        title={refusal}
        aria-description={refusal}
        aria-disabled
      >
        {text}
        {badge}
      </span>
    );
  }
  return (
    <RowLink
      to={to}
      className={classes['entry']}
      aria-current={isHere ? 'page' : undefined}
      onClick={close}
    >
      {text}
      {badge}
    </RowLink>
  );
}
