import { adBox, closeButton, OVER_PAGE, raise } from './layer.ts';
import type { Answer } from './request.ts';
import { roomFor } from './trigger.ts';

/**
 * Two boxes beside the content, from a window width on. Each side is an ad of its own, won and
 * counted by itself: they come from one request of two, which never answers one ad twice and only
 * in need two of one advertiser. Where one was won, one side is drawn.
 */
export function openCouplet(
  element: HTMLElement,
  answer: Answer,
  { onClose, onBlocked }: { onClose: () => void; onBlocked: () => void },
): void {
  const { couplet, ...zone } = answer.zone;
  if (couplet === undefined) throw new Error(`${zone.type} has no couplet`);
  const room = roomFor(couplet);
  const close = (): void => {
    room.removeEventListener('change', fit);
    element.replaceChildren();
    onClose();
  };
  const boxes = answer.ads.slice(0, 2).map((ad, side) => {
    const { box } = adBox(ad, answer, {
      onBlocked: () => {
        close();
        onBlocked();
      },
    });
    box.setAttribute('role', 'complementary');
    box.setAttribute('aria-label', answer.labels.ad);
    const across = side === 0 ? 'left' : 'right';
    box.style.cssText = `${OVER_PAGE}inset:auto;margin:0;${box.style.cssText}top:${couplet.offset_top}px;${across}:${couplet.offset_side}px`;
    if (couplet.close_button) box.prepend(closeButton(answer, close));
    element.append(box);
    raise(box);
    return box;
  });
  const fit = (): void => {
    for (const box of boxes) box.style.display = room.matches ? 'block' : 'none';
  };
  room.addEventListener('change', fit);
}
