import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './list-page.module.css';

/** What is wider than its place moves in it, by keys as well: then it is a stop of the Tab key. */
export function WideFrame({ label, children }: { label: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isWide, setIsWide] = useState(false);
  // How wide a table is, only the browser knows, and when.
  useEffect(() => {
    const { current } = frame;
    if (current === null) return undefined;
    const sizes = new ResizeObserver(() => setIsWide(current.scrollWidth > current.clientWidth));
    for (const each of [current, ...current.children]) sizes.observe(each);
    return () => sizes.disconnect();
  }, []);
  return (
    <div
      ref={frame}
      className={classes['frame']}
      {...(isWide ? { tabIndex: 0, role: 'region', 'aria-label': label } : {})}
    >
      {children}
    </div>
  );
}
