import type { ReactNode } from 'react';
import { type Action, ActionButton } from './action.tsx';
import classes from './page.module.css';
import { OnlyReads } from './permission.tsx';
import { RowLink } from './row-link.tsx';
import { SavedViews } from './saved-views.tsx';
import { useTexts } from './texts.ts';
import { common } from '../texts/common.ts';

export interface Crumb {
  text: string;
  to: string;
}

interface PageProps {
  title: ReactNode;
  /** States and the like, beside the title. */
  beside?: ReactNode;
  lead?: ReactNode;
  crumbs?: readonly Crumb[];
  /** The first one is the page's main action. */
  actions?: readonly Action[];
  /** A link that is drawn as the main action. */
  main?: ReactNode;
  children: ReactNode;
}

/** The head that every page has: where it is, what it is, what can be done. */
export function Page({
  title,
  beside,
  lead,
  crumbs = [],
  actions = [],
  main,
  children,
}: PageProps) {
  const c = useTexts(common);
  return (
    <div className={classes['page']}>
      {crumbs.length > 0 && (
        <nav aria-label={c.path} className={classes['crumbs']}>
          {crumbs.map(({ text, to }) => (
            <RowLink key={to} to={to}>
              {text}
            </RowLink>
          ))}
        </nav>
      )}
      <div className={classes['head']}>
        <div className={classes['words']}>
          <div className={classes['title']}>
            <h1>{title}</h1>
            {beside}
          </div>
          {lead !== undefined && <div className={classes['lead']}>{lead}</div>}
        </div>
        <div className={classes['actions']}>
          <SavedViews />
          {actions.map((action, index) => (
            <ActionButton
              key={action.label}
              action={action}
              variant={index === 0 && main === undefined ? 'filled' : 'default'}
            />
          ))}
          {main}
        </div>
      </div>
      <OnlyReads />
      {children}
    </div>
  );
}
