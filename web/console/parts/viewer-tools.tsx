import { viewer } from '../texts/viewer.ts';
import { numberFormat } from './formats.ts';
import { IconButton } from './icon-button.tsx';
import { usePreferences } from './preferences.tsx';
import { useTexts } from './texts.ts';
import type { ViewMove } from './viewer-view.ts';
import classes from './viewer.module.css';

const SIGNS = {
  out: 'M5 12h14',
  in: 'M5 12h14M12 5v14',
  left: 'M4 5v5h5M5 10a8 8 0 1 1-1 5',
  right: 'M20 5v5h-5M19 10a8 8 0 1 0 1 5',
  enlarge: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
};

/** What can be done with what is looked at, each with its key. */
export function ViewerTools(props: {
  name: string;
  scale: number;
  zoom: number | null;
  /** How many it has, also where only the first are shown. */
  pages: number;
  move: (what: ViewMove) => void;
  enlarge: (() => void) | undefined;
}) {
  const { name, scale, zoom, pages, move, enlarge } = props;
  const t = useTexts(viewer);
  const { language } = usePreferences();
  const percent = numberFormat(language, { style: 'percent' }).format(scale);
  const sign = (shape: keyof typeof SIGNS, label: string, key: string, run: () => void) => (
    <IconButton aria-label={label} title={t.withKey(label, key)} onClick={run}>
      <Sign d={SIGNS[shape]} />
    </IconButton>
  );
  const size = (label: string, key: string, what: 'fit' | 'actual', isOn: boolean) => (
    <button
      type="button"
      aria-label={label}
      className={classes['text']}
      aria-pressed={isOn}
      title={t.withKey(label, key)}
      onClick={() => move(what)}
    >
      {what === 'fit' ? label : '1:1'}
    </button>
  );
  return (
    <div role="toolbar" aria-label={t.tools(name)} className={classes['tools']}>
      {sign('out', t.zoomOut, '−', () => move('out'))}
      <output className={classes['zoom']}>{percent}</output>
      {sign('in', t.zoomIn, '+', () => move('in'))}
      {size(t.fit, '0', 'fit', zoom === null)}
      {size(t.actual, '1', 'actual', zoom === 1)}
      {sign('left', t.turnLeft, '[', () => move('left'))}
      {sign('right', t.turnRight, ']', () => move('right'))}
      {enlarge !== undefined && sign('enlarge', t.enlarge, 'F', enlarge)}
      {pages > 1 && <span className={classes['zoom']}>{t.pages(pages)}</span>}
    </div>
  );
}

const Sign = ({ d }: { d: string }) => (
  <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden fill="none">
    <path
      d={d}
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
      strokeLinecap="round"
    />
  </svg>
);
