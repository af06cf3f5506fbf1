/**
 * The first moment of a day of a time zone, as SQL of both. Where a clock goes back at midnight or over
 * it (the Azores, Havana), the day's first hour comes twice and PostgreSQL takes the second: the day
 * begins with the first.
 */
export function beginOfDay(day: string, zone: string): string {
  const midnight = `((${day})::timestamp AT TIME ZONE ${zone})`;
  return `(${midnight} - CASE WHEN ((${midnight} - interval '1 hour') AT TIME ZONE ${zone})::date < ${day}
    THEN interval '0' ELSE interval '1 hour' END)`;
}
