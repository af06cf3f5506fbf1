/** How something is looked at: turned by so many degrees, so large; null fits it into its place. */
export interface View {
  turn: number;
  zoom: number | null;
}
export type ViewMove = 'in' | 'out' | 'fit' | 'actual' | 'left' | 'right';

interface Size {
  width: number;
  height: number;
}

const STEP = 1.25;
const SMALLEST = 0.05;
const LARGEST = 8;
const QUARTER = 90;
/** The edge of a scrollbar that is about to go must not call it back. */
const EDGE = 2;

export const turnedSize = ({ width, height }: Size, turn: number): Size =>
  (turn / QUARTER) % 2 === 0 ? { width, height } : { width: height, height: width };

/** Never larger than it is: the whole of one, the width of many. */
export function fitting(sheets: readonly Size[], turn: number, place: Size): number {
  const sizes = sheets.map((sheet) => turnedSize(sheet, turn));
  const widest = Math.max(1, ...sizes.map(({ width }) => width));
  const [first] = sizes;
  const byHeight =
    sizes.length === 1 && first !== undefined ? (place.height - EDGE) / first.height : 1;
  return Math.max(SMALLEST, Math.min(1, (place.width - EDGE) / widest, byHeight));
}

export function zoomed(scale: number, what: 'in' | 'out' | 'fit' | 'actual'): number | null {
  if (what === 'fit') return null;
  if (what === 'actual') return 1;
  return Math.min(LARGEST, Math.max(SMALLEST, what === 'in' ? scale * STEP : scale / STEP));
}

export const turned = (view: View, way: 'left' | 'right'): View => ({
  ...view,
  turn: (view.turn + (way === 'right' ? QUARTER : 3 * QUARTER)) % (4 * QUARTER),
});
