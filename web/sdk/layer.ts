import { adFrame, type FrameOptions } from './frame.ts';
import type { AdItem, Answer, ZoneTerms } from './request.ts';
import { afterInSight } from './trigger.ts';

/** How an ad lies over the page. */
interface LayerTerms {
  place: string;
  /** Takes the page: dimmed, inert and without focus until the ad is closed. */
  isModal: boolean;
  /** How dark the page becomes, where it is taken. */
  shade: number;
  hasButton: boolean;
  closeAfterSeconds: number;
}

const BUTTON_PIXELS = 32;
const EDGE_PIXELS = 8;
const FREE_SIDES: Readonly<Record<string, string>> = {
  TOP: 'bottom:auto',
  BOTTOM: 'top:auto',
  LEFT: 'right:auto',
  RIGHT: 'left:auto',
  CORNER: 'top:auto;left:auto',
};
/** Whatever the browser's or the page's style says of dialogs and boxes. */
export const OVER_PAGE =
  'display:block;position:fixed;border:0;padding:0;max-width:none;max-height:none;overflow:visible;background:none;z-index:2147483647;';

/** What takes the page always has a button: whoever has no keyboard must get out of it. */
function layerTerms({ type, popup, rewarded }: ZoneTerms): LayerTerms {
  const { watch_seconds = 0, skippable_after_seconds = 0 } = rewarded ?? {};
  const { position, overlay, close_button, close_delay_seconds } = popup ?? {
    position: 'CENTER',
    overlay: true,
    close_button: true,
    // 0 is no skipping, as it is to players: the video is watched first.
    close_delay_seconds: skippable_after_seconds === 0 ? watch_seconds : skippable_after_seconds,
  };
  const isFloat = type === 'FLOAT';
  const isFull = type === 'INTERSTITIAL' || type === 'REWARDED';
  const isModal = isFull || (overlay && !isFloat);
  return {
    place: isFull ? 'CENTER' : isFloat && position === 'CENTER' ? 'CORNER' : position,
    isModal,
    shade: isFull ? 0.9 : 0.6,
    hasButton: isModal || close_button,
    closeAfterSeconds: close_delay_seconds,
  };
}

interface LayerAd {
  ad: AdItem;
  answer: Answer;
  onClose: () => void;
  /** The page's policy lets no ad in: the layer is gone. */
  onBlocked: () => void;
}

/** Draws the ad over the page, inside `element`, so that it goes when the page takes that away. */
export function openLayer(element: HTMLElement, { ad, answer, onClose, onBlocked }: LayerAd): void {
  const { place, isModal, shade, hasButton, closeAfterSeconds } = layerTerms(answer.zone);
  // Only what takes the page may take the focus, which every dialog does.
  const dialog = isModal ? document.createElement('dialog') : undefined;
  const layer = dialog ?? document.createElement('div');
  const { box, frame } = adBox(ad, answer, {
    onEscape: () => {
      if (isClosable) close();
    },
    onBlocked: () => {
      close();
      onBlocked();
    },
  });
  const placing = `inset:${EDGE_PIXELS}px;margin:auto;${FREE_SIDES[place] ?? ''}`;
  layer.setAttribute('role', 'dialog');
  layer.setAttribute('aria-label', answer.labels.ad);
  layer.append(box);
  element.replaceChildren(layer);

  let isClosable = false;
  let isClosed = false;
  const close = (): void => {
    document.removeEventListener('keydown', onKey, true);
    document.removeEventListener('visibilitychange', takeKeys);
    stop();
    if (isClosed) return;
    isClosed = true;
    dialog?.close();
    layer.remove();
    onClose();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // Taken off the page, it is nobody's any more.
    if (isClosable || !layer.isConnected) close();
    else if (isModal) event.preventDefault();
  };
  document.addEventListener('keydown', onKey, true);
  // Who comes back from the tab that a click has opened finds the keys here, and not in the ad.
  const takeKeys = (): void => {
    if (isModal && document.activeElement === frame) layer.focus();
  };
  document.addEventListener('visibilitychange', takeKeys);
  if (dialog !== undefined) {
    layer.style.cssText = `${OVER_PAGE}inset:0;width:100%;height:100%;background:rgba(0,0,0,${shade})`;
    box.style.cssText += `;position:absolute;${placing}`;
    layer.addEventListener('cancel', (event) => {
      if (!isClosable) event.preventDefault();
    });
    layer.addEventListener('close', close);
    layer.addEventListener('click', (event) => {
      if (isClosable && event.target === layer) close();
    });
    layer.tabIndex = -1;
    dialog.showModal();
    layer.focus();
  } else {
    layer.style.cssText = `${OVER_PAGE}${placing};width:fit-content;height:fit-content`;
    raise(layer);
  }
  const stop = afterInSight(layer, closeAfterSeconds, () => {
    if (!layer.isConnected) {
      close();
      return;
    }
    isClosable = true;
    if (!hasButton) return;
    const button = closeButton(answer, close);
    box.prepend(button);
    // Who reads by ear is told of the way out; who is in the ad already is left there.
    if (isModal && document.activeElement === layer) button.focus();
  });
}

/** The frame under a strip for the button, made smaller where the window is, or becomes: a phone is turned. */
export function adBox(
  ad: AdItem,
  answer: Answer,
  options: FrameOptions,
): { box: HTMLElement; frame: HTMLElement } {
  const frame = adFrame(ad, answer, options);
  frame.style.cssText += `;position:absolute;left:0;top:${BUTTON_PIXELS}px;width:${ad.width}px;height:${ad.height}px;max-width:none;transform-origin:0 0`;
  const box = document.createElement('div');
  const fit = (): void => {
    const scale = Math.min(
      1,
      (innerWidth - 2 * EDGE_PIXELS) / ad.width,
      (innerHeight - 2 * EDGE_PIXELS - BUTTON_PIXELS) / ad.height,
    );
    frame.style.transform = `scale(${scale})`;
    box.style.width = `${ad.width * scale}px`;
    box.style.height = `${ad.height * scale + BUTTON_PIXELS}px`;
  };
  const onResize = (): void => {
    if (box.isConnected) fit();
    else removeEventListener('resize', onResize);
  };
  fit();
  addEventListener('resize', onResize);
  box.append(frame);
  return { box, frame };
}

export function closeButton({ labels }: Answer, onClick: () => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = '×';
  button.setAttribute('aria-label', labels.close);
  button.style.cssText = `position:absolute;inset-inline-end:0;top:0;width:${BUTTON_PIXELS}px;height:${BUTTON_PIXELS}px;padding:0;border:0;font:20px/1 sans-serif;color:#fff;background:#222;cursor:pointer`;
  button.addEventListener('click', onClick);
  return button;
}

/**
 * To the top layer, where no ancestor's transform or clipping moves a fixed box, and without taking
 * the focus. In browsers that have none it stays where its CSS puts it.
 */
export function raise(box: HTMLElement): void {
  if (!('showPopover' in box)) return;
  box.popover = 'manual';
  box.showPopover();
}
