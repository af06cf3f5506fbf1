import { useTexts, wordOf } from '../../../../parts/texts.ts';
import { site } from '../../../../texts/site.ts';
import { traits } from '../../../../texts/traits.ts';
import { zone } from '../../../../texts/zone.ts';

/** Kinds of things, in the words that their owners choose them by. */
export function useKindWords() {
  const { types, displays } = useTexts(zone);
  const sites = useTexts(site);
  const { device, os, browser } = useTexts(traits);
  const names: Readonly<Record<string, { name: string }>> = types;
  return {
    ad: (type: string) => names[type]?.name ?? type,
    /** `html5` and `vast` are names of the trade. */
    creative: (type: string) => wordOf(displays, type.toUpperCase()),
    /** What it is, and how it was proved. */
    site: (kind: string | null) => wordOf(sites, kind),
    device: (name: string) => wordOf(device, name),
    os: (name: string) => wordOf(os, name),
    browser: (name: string) => wordOf(browser, name),
  };
}
