/** Traits that the request's fingerprint is made of (short names keep `_d` small). */
export function deviceTraits(): Record<string, unknown> {
  return {
    v: 1,
    ua: navigator.userAgent,
    l: navigator.language,
    ls: navigator.languages.join(','),
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
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
    pf: navigator.platform,
    wd: navigator.webdriver,
    vis: document.visibilityState,
    ref: document.referrer.slice(0, 200),
  };
}
