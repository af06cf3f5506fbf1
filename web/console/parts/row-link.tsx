import { type AnyRouter, useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { linkTo } from './link-to.ts';
import classes from './row-link.module.css';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'style' | 'className'> & {
  /** A page of the consoles: `/advertiser/campaigns/7`. */
  to: string;
  /** In place of a link's own look. */
  className?: string | undefined;
  /** Among other words, from which its colour alone does not tell it. */
  underline?: 'always';
};

/** A mouse that passes over a list asks for nothing. */
const INTENT_MS = 50;
let intent: ReturnType<typeof setTimeout> | undefined;

/**
 * A link that a page has many of. Plain: the router's own is told of every change of the address, and
 * reckons where it leads each time.
 */
export function RowLink({ to, className = classes['link'], underline, onClick, ...rest }: Props) {
  const router = useRouter();
  const begin = (): void => {
    clearTimeout(intent);
    intent = setTimeout(() => preload(router, to), INTENT_MS);
  };
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || isElsewhere(event)) return;
    event.preventDefault();
    void router.navigate({ href: to });
  };
  return (
    <a
      {...rest}
      className={underline === 'always' ? `${className} ${classes['always']}` : className}
      href={`${router.basepath}${to}`}
      onClick={follow}
      onMouseEnter={begin}
      onMouseLeave={() => clearTimeout(intent)}
      onFocus={begin}
      onBlur={() => clearTimeout(intent)}
    />
  );
}

/** Into another tab or window, or onto the disk: the browser's own way. */
const isElsewhere = ({ metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  metaKey || altKey || ctrlKey || shiftKey;

/** What the page needs, before it is asked for; what goes wrong is said when it is opened. */
function preload(router: AnyRouter, to: string): void {
  void router.preloadRoute(linkTo(to) as never);
}
