import { useWindowEvent } from '@mantine/hooks';
import { type HTMLAttributes, type RefObject, useLayoutEffect, useRef } from 'react';
import classes from './drop.module.css';
import { useEscape } from './escape.ts';

interface Props extends Omit<HTMLAttributes<HTMLDivElement>, 'className' | 'style'> {
  /** The button that it belongs to. */
  target: RefObject<HTMLElement | null>;
  /** Which of the button's edges it shares. */
  align: 'start' | 'end';
  width?: number;
  padding?: number;
  close: () => void;
}

const EDGE = 8;
const GAP = 4;
const FIRST = '[data-autofocus], [role="menuitem"], input, select, textarea, button, a[href]';

/**
 * What opens at a button, for as long as it is drawn. It is in the browser's top layer: no table cuts it
 * off, and nothing has to be loaded or reckoned with each change of the page. Escape and a press beside
 * it close it; the focus goes back to the button.
 */
export function Drop({ target, align, width, padding, close, ...rest }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEscape(true, () => {
    close();
    target.current?.focus({ preventScroll: true });
  });
  const isOutside = (node: EventTarget | null): boolean =>
    node instanceof Element &&
    box.current?.contains(node) === false &&
    target.current?.contains(node) === false &&
    // A dialog that was opened from here.
    node.closest('[aria-modal="true"]')?.contains(box.current) !== false;
  useWindowEvent('pointerdown', (event) => {
    if (isOutside(event.target)) close();
  });
  const place = (): void => {
    if (box.current !== null && target.current !== null) {
      placeAt(box.current, target.current, align);
    }
  };
  useWindowEvent('resize', place);
  useWindowEvent('scroll', place, { capture: true });
  // Only what is shown has a size and takes the focus.
  useLayoutEffect(() => {
    const { current: node } = box;
    node?.showPopover();
    place();
    (node?.querySelector<HTMLElement>(FIRST) ?? node)?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it opens
  }, []);
  return (
    <div
      {...rest}
      ref={box}
      popover="manual"
      tabIndex={-1}
      className={classes['drop']}
      style={{ width, padding }}
    />
  );
}

/** Below the button, or above it where that leaves more room. */
function placeAt({ style, offsetWidth, offsetHeight }: HTMLElement, at: Element, align: string) {
  const { clientWidth, clientHeight } = document.documentElement;
  const button = at.getBoundingClientRect();
  const left = align === 'end' ? button.right - offsetWidth : button.left;
  style.left = `${Math.max(EDGE, Math.min(left, clientWidth - offsetWidth - EDGE))}px`;
  const below = clientHeight - button.bottom;
  const isBelow = below > offsetHeight + GAP + EDGE || below > button.top;
  style.top = isBelow ? `${button.bottom + GAP}px` : 'auto';
  style.bottom = isBelow ? 'auto' : `${clientHeight - button.top + GAP}px`;
  style.maxHeight = `${(isBelow ? below : button.top) - GAP - EDGE}px`;
}
