const DAY_MS = 86_400_000;
/** Asked several times per event, and answered the same nearly always. */
let lastDay = { day: Number.NaN, text: '' };

/** Unix milliseconds to the UTC day that budgets and reports count by. */
export function dayOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay.day) {
    lastDay = { day, text: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  }
  return lastDay.text;
}

/** ISO: 1 is Monday, 7 is Sunday. */
export const weekdayOf = (at: Date): number => ((at.getUTCDay() + 6) % 7) + 1;
