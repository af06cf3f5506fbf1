import type { ZoneType } from './-zone-types.ts';
import classes from './zone-picture.module.css';

/** Where the ad stands on a page of 96 by 64: x, y, width, height. */
type Box = readonly [number, number, number, number];

const ADS: Record<ZoneType, readonly Box[]> = {
  BANNER: [[66, 20, 22, 26]],
  NATIVE: [[8, 32, 52, 18]],
  RESPONSIVE: [[8, 25, 80, 14]],
  TEXT: [[8, 42, 40, 7]],
  VIDEO: [[20, 20, 56, 32]],
  FLOAT: [[68, 40, 22, 20]],
  COUPLET: [
    [4, 18, 12, 38],
    [80, 18, 12, 38],
  ],
  POPUP: [[24, 20, 48, 30]],
  INTERSTITIAL: [[4, 12, 88, 48]],
  EXIT_INTENT: [[24, 14, 48, 28]],
  REWARDED: [[16, 16, 64, 36]],
};
const PLAYED: readonly ZoneType[] = ['VIDEO', 'REWARDED'];
const LINES = [20, 28, 36, 44, 52] as const;

/** A page with the place of the ad marked; says nothing that the words beside it do not. */
export function ZonePicture({ type }: { type: ZoneType }) {
  return (
    <svg viewBox="0 0 96 64" className={classes['picture']} aria-hidden focusable="false">
      <rect x="1" y="1" width="94" height="62" rx="4" className={classes['page']} />
      <circle cx="7" cy="6" r="1.5" className={classes['line']} />
      <circle cx="12" cy="6" r="1.5" className={classes['line']} />
      {LINES.map((y) => (
        <rect
          key={y}
          x={type === 'COUPLET' ? 22 : 8}
          y={y}
          width="52"
          height="3"
          rx="1.5"
          className={classes['line']}
        />
      ))}
      {ADS[type].map(([x, y, width, height]) => (
        <rect key={x} x={x} y={y} width={width} height={height} rx="2" className={classes['ad']} />
      ))}
      {PLAYED.includes(type) && <path d="M44 28 L56 35 L44 42 Z" className={classes['page']} />}
      {type === 'REWARDED' && <circle cx="76" cy="20" r="6" className={classes['reward']} />}
      {type === 'EXIT_INTENT' && <path d="M70 2 L76 10 L71 10 Z" className={classes['reward']} />}
    </svg>
  );
}
