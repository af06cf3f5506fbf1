import { Link } from '@tanstack/react-router';
import classes from './sub-pages.module.css';

/** Pages that belong together, side by side, the one that is shown marked. */
export function SubPages({
  label,
  pages,
}: {
  label: string;
  pages: readonly { to: string; text: string }[];
}) {
  return (
    <nav aria-label={label} className={classes['pages']}>
      {pages.map(({ to, text }) => (
        <Link
          key={to}
          to={to}
          className={classes['page']}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
