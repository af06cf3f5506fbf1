import { useTexts, wordOf } from '../../../parts/texts.ts';
import { conversionTexts } from '../../../texts/advertiser/conversion.ts';
import { unbilled } from '../../../texts/unbilled.ts';

/** Why a conversion is not billed: as attribution said, else as settlement judged. */
export function ConversionReason({ reason }: { reason: string }) {
  const { reasons } = useTexts(unbilled);
  const { unattributed } = useTexts(conversionTexts);
  return wordOf({ ...reasons, ...unattributed }, reason);
}
