export const DAY_MS = 86_400_000;
/** Clocks are changed at quarters of an hour, and zones are away from UTC by as many. */
export const QUARTER_MS = 900_000;
/** The widest that a zone is away from UTC, and an hour. */
export const AROUND_MS = 15 * 3_600_000;

/** `2026-11-29 08`, as the clocks of a zone say it. */
export const wallOf = (timezone: string): ((at: number) => string) => {
  // The Swedes write dates as the API does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => format.format(at);
};
