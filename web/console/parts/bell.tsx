import { useQuery } from '@tanstack/react-query';
import { FOLDERS, type Realm } from '../session.ts';
import { common } from '../texts/common.ts';
import classes from './bell.module.css';
import { LATEST, notificationsOf } from './notifications.ts';
import { RowLink } from './row-link.tsx';
import { useMarks, useTexts } from './texts.ts';

const LOOK_MS = 60_000;

/** How much has happened that was not read; leads to it. */
export function Bell({ realm }: { realm: Realm }) {
  const t = useTexts(common);
  const marks = useMarks();
  const { data } = useQuery({
    ...notificationsOf(realm).list(LATEST),
    refetchInterval: LOOK_MS,
  });
  const unread = data?.unread ?? 0;
  return (
    <RowLink
      to={`/${FOLDERS[realm]}/notifications`}
      className={classes['bell']}
      aria-label={`${t.notifications}${marks.colon}${t.unread(unread)}`}
    >
      <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden fill="none">
        <path
          d="M6 10a6 6 0 0 1 12 0v4l2 3H4l2-3zM10 20h4"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      </svg>
      {unread > 0 && <span className={classes['unread']}>{unread}</span>}
    </RowLink>
  );
}
