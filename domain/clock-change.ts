import { AROUND_MS, DAY_MS, QUARTER_MS, wallOf } from './wall-clock.ts';

/** Hours of a day that are not 60 minutes long, because the clocks of its zone are changed in them. */
export interface OddHour {
  day: string;
  hour: number;
  /** 0 where the clocks leave it out, 120 where it comes twice; of a few zones, half an hour less or more. */
  minutes: number;
}

const HOURS = 24;
const HOUR_MINUTES = 60;
const QUARTER_MINUTES = 15;

/** Those of the days from one to another, both included. */
export function oddHours(timezone: string, startDate: string, endDate: string): OddHour[] {
  const wall = wallOf(timezone);
  const found: OddHour[] = [];
  const last = Date.parse(`${endDate}T00:00:00Z`);
  for (let noon = Date.parse(`${startDate}T12:00:00Z`); noon < last + DAY_MS; noon += DAY_MS) {
    const day = new Date(noon).toISOString().slice(0, 10);
    if (isChanged(wall, noon)) found.push(...oddOf(wall, day));
  }
  return found;
}

/** Whether clocks are changed anywhere around a day: only then it is looked at quarter by quarter. */
function isChanged(wall: (at: number) => string, noon: number): boolean {
  // Half an hour later too: where they are changed by as much, the hour may be the same.
  return [0, 2 * QUARTER_MS].some(
    (later) =>
      wall(noon - 2 * DAY_MS + later).slice(-2) !== wall(noon + 2 * DAY_MS + later).slice(-2),
  );
}

function oddOf(wall: (at: number) => string, day: string): OddHour[] {
  const minutes = new Map<number, number>();
  const start = Date.parse(`${day}T00:00:00Z`);
  for (let at = start - AROUND_MS; at < start + DAY_MS + AROUND_MS; at += QUARTER_MS) {
    const text = wall(at);
    if (!text.startsWith(day)) continue;
    const hour = Number(text.slice(-2));
    minutes.set(hour, (minutes.get(hour) ?? 0) + QUARTER_MINUTES);
  }
  // A day that a zone leaves out as a whole has no hours to speak of.
  if (minutes.size === 0) return [];
  return Array.from({ length: HOURS }, (_none, hour) => ({
    day,
    hour,
    minutes: minutes.get(hour) ?? 0,
  })).filter((each) => each.minutes !== HOUR_MINUTES);
}
