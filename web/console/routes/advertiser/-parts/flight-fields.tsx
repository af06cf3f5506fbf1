import { DayField } from '../../../parts/day-fields.tsx';
import { useTexts } from '../../../parts/texts.ts';
import { launchTexts } from '../../../texts/advertiser/launch.ts';

/** First and last day of what serves: days of UTC, which may be others where its owner is. */
export function FlightFields({ isHelpBelow = false }: { isHelpBelow?: boolean }) {
  const t = useTexts(launchTexts);
  return (
    <>
      <DayField name="start_date" label={t.start} help={t.startHelp} isHelpBelow={isHelpBelow} />
      <DayField name="end_date" label={t.end} help={t.endHelp} isHelpBelow={isHelpBelow} />
    </>
  );
}
