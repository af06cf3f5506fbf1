/**
 * What fingerprints are made of, the same on every site, and whether the browser is automated (short names
 * keep `_d` small). Who asks for privacy is not described.
 */
export function deviceCore(isPrivate: boolean): Record<string, unknown> {
  const wd = navigator.webdriver;
  if (isPrivate) return { wd };
  return {
    l: navigator.language,
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    pf: navigator.platform,
    wd,
  };
}

/** Of an ad request. */
export function deviceTraits(isPrivate: boolean): Record<string, unknown> {
  if (isPrivate) return { v: 1, ...deviceCore(isPrivate) };
  return {
    v: 1,
    ...deviceCore(isPrivate),
    ua: navigator.userAgent,
    ls: navigator.languages.join(','),
    s: [
      screen.width,
      screen.height,
      screen.availWidth,
      screen.availHeight,
      devicePixelRatio,
      screen.colorDepth,
    ],
    w: [innerWidth, innerHeight],
    hc: navigator.hardwareConcurrency,
    vis: document.visibilityState,
    ref: document.referrer.slice(0, 200),
  };
}

/** Of the report of an ad that stands in this element. */
export const deviceAt = (
  { offsetWidth, offsetHeight }: HTMLElement,
  isPrivate: boolean,
): Record<string, unknown> => ({
  ...deviceCore(isPrivate),
  ...(!isPrivate && { pl: [offsetWidth, offsetHeight] }),
});

/** Global Privacy Control, which sends `Sec-GPC` as well. */
export const asksForPrivacy = (): boolean =>
  Reflect.get(navigator, 'globalPrivacyControl') === true;
