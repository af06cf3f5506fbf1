import { useDisclosure, useElementSize, useMergedRef } from '@mantine/hooks';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { viewer } from '../texts/viewer.ts';
import { Dialog } from './dialog.tsx';
import { useTexts } from './texts.ts';
import { ViewerTools } from './viewer-tools.tsx';
import { fitting, turnedSize, turned, type View, type ViewMove, zoomed } from './viewer-view.ts';
import classes from './viewer.module.css';

/** A picture, or a page of a document, at its own size in CSS pixels; drawn as large as it is asked for. */
export interface Sheet {
  key: string;
  width: number;
  height: number;
  draw: (width: number, height: number) => ReactNode;
}

interface Props {
  name: string;
  sheets: readonly Sheet[];
  /** Pages that it has; without it, as many as there are sheets. */
  pages?: number | undefined;
  /** What it is held against while it fills the window: names, numbers, sums. */
  beside?: ReactNode;
}

const KEYS: Readonly<Record<string, ViewMove>> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '[': 'left',
  ']': 'right',
  '0': 'fit',
  '1': 'actual',
};

/** Looks closely: zoomed, turned, moved, over the whole window; in the page where it stands. */
export function Viewer({ name, sheets, pages, beside }: Props) {
  const [isLarge, { open, close }] = useDisclosure();
  const [view, setView] = useState<View>({ turn: 0, zoom: null });
  const shared = { name, sheets, pages, view, setView };
  return (
    <>
      <Frame {...shared} height="min(26rem, 60dvh)" enlarge={open} />
      {isLarge && <Large {...shared} beside={beside} close={close} />}
    </>
  );
}

/** The same, opened at once over the whole window: of what is shown small elsewhere. */
export function LargeViewer(props: Props & { close: () => void }) {
  const [view, setView] = useState<View>({ turn: 0, zoom: null });
  return <Large {...props} view={view} setView={setView} />;
}

function Large({
  beside,
  close,
  ...frame
}: Props & Pick<FrameProps, 'view' | 'setView'> & { close: () => void }) {
  return (
    <Dialog fullScreen onClose={close} title={frame.name}>
      <Frame {...frame} beside={beside} isLarge height="calc(100dvh - 10rem)" />
    </Dialog>
  );
}

interface FrameProps {
  name: string;
  sheets: readonly Sheet[];
  pages?: number | undefined;
  view: View;
  setView: (view: View) => void;
  height: CSSProperties['height'];
  enlarge?: () => void;
  beside?: ReactNode;
  /** Keys begin at it. */
  isLarge?: boolean;
}

function Frame(props: FrameProps) {
  const { name, sheets, view, setView, height, enlarge, beside, isLarge = false } = props;
  const t = useTexts(viewer);
  const { ref: sized, width: wide, height: high } = useElementSize();
  const stage = useRef<HTMLDivElement>(null);
  const scale = view.zoom ?? fitting(sheets, view.turn, { width: wide, height: high });
  const moved = useMiddle(stage, `${scale} ${view.turn}`, sheets.length === 1);
  const move = (what: ViewMove): void => {
    if (what === 'left' || what === 'right') setView(turned(view, what));
    else setView({ ...view, zoom: zoomed(scale, what) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { [event.key]: what } = KEYS;
    const isLarger = event.key === 'f' && enlarge !== undefined;
    if (what === undefined && !isLarger) return;
    // The page's own keys rest for it.
    event.preventDefault();
    if (what !== undefined) move(what);
    else enlarge?.();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the buttons in it
    <div onKeyDown={onKeyDown}>
      {beside}
      <ViewerTools
        name={name}
        scale={scale}
        zoom={view.zoom}
        pages={props.pages ?? sheets.length}
        move={move}
        enlarge={enlarge}
      />
      <div
        ref={useMergedRef(stage, sized)}
        className={classes['stage']}
        style={{ height }}
        role="region"
        aria-label={t.stage(name)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys move what is in it
        tabIndex={0}
        {...(isLarge ? { 'data-autofocus': true } : {})}
        onScroll={moved}
        onPointerDown={drag}
        onDoubleClick={() => move(view.zoom === null ? 'actual' : 'fit')}
      >
        {wide > 0 &&
          sheets.map((sheet) => (
            <Turned key={sheet.key} sheet={sheet} scale={scale} turn={view.turn} />
          ))}
      </div>
    </div>
  );
}

/** A box of the size that it has once it is turned, so that the browser knows how far it goes. */
function Turned({ sheet, scale, turn }: { sheet: Sheet; scale: number; turn: number }) {
  const width = Math.round(sheet.width * scale);
  const height = Math.round(sheet.height * scale);
  return (
    <div className={classes['sheet']} style={turnedSize({ width, height }, turn)}>
      <div
        className={classes['turned']}
        style={{ width, height, transform: `translate(-50%, -50%) rotate(${turn}deg)` }}
      >
        {sheet.draw(width, height)}
      </div>
    </div>
  );
}

/** What stood in the middle stays there when it grows, shrinks or turns. */
function useMiddle(
  stage: { current: HTMLDivElement | null },
  drawn: string,
  isOne: boolean,
): () => void {
  const middle = useRef({ x: 0.5, y: isOne ? 0.5 : 0 });
  // How far it reaches is known once it is drawn, and must hold before it is seen.
  useLayoutEffect(() => {
    const { current: box } = stage;
    if (box === null) return;
    box.scrollLeft = middle.current.x * box.scrollWidth - box.clientWidth / 2;
    box.scrollTop = middle.current.y * box.scrollHeight - box.clientHeight / 2;
  }, [stage, drawn]);
  return () => {
    const { current: box } = stage;
    if (box === null) return;
    middle.current = {
      x: (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth,
      y: (box.scrollTop + box.clientHeight / 2) / box.scrollHeight,
    };
  };
}

/** By the mouse alone: fingers scroll by themselves. */
function drag(event: PointerEvent<HTMLDivElement>): void {
  if (event.pointerType !== 'mouse' || event.button !== 0) return;
  const { currentTarget: box } = event;
  const from = { x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop };
  const onMove = (now: globalThis.PointerEvent): void => {
    box.dataset['dragging'] = '';
    box.scrollTo(from.x - now.clientX, from.y - now.clientY);
  };
  const done = (): void => {
    delete box.dataset['dragging'];
    box.removeEventListener('pointermove', onMove);
  };
  box.setPointerCapture(event.pointerId);
  box.addEventListener('pointermove', onMove);
  box.addEventListener('lostpointercapture', done, { once: true });
}
