import { adsTxtFileOf } from '../../../../../../domain/lifecycle/site-proof.ts';
import type { Site, SiteVerifyCode } from '../../../../../client/routes.ts';
import { useTexts } from '../../../../parts/texts.ts';
import { site } from '../../../../texts/site.ts';

type Method = SiteVerifyCode['methods'][number]['method'];

/** What each way to prove a site is called: an app's file has a name of its own. */
export function useProofNames({
  media_type: kind,
}: Pick<Site, 'media_type'>): Record<Method, string> {
  const { META, FILE, DNS } = useTexts(site);
  return { META, FILE, DNS, ADS_TXT: adsTxtFileOf(kind) };
}
