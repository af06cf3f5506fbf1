import { day, text } from '../http/fields.ts';

/** Query parameters that every report, every stats route and every export takes. */
export const reportFields = {
  start_date: day(),
  end_date: day(),
  group_by: text(100).meta({ kind: 'word' }),
  timezone: text(64).meta({ kind: 'word' }),
};

/** Of a report or export, but not of one thing's numbers. */
export const onlyField = { ids: text(2_000).meta({ kind: 'word' }) };
