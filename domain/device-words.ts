type Language = 'en' | 'zh';

/** Names of the trade, alike in both languages. */
const BROWSERS: Readonly<Record<string, string>> = {
  CHROME: 'Chrome',
  SAFARI: 'Safari',
  FIREFOX: 'Firefox',
  EDGE: 'Edge',
  OPERA: 'Opera',
  SAMSUNG: 'Samsung Internet',
  WECHAT: 'WeChat',
};
const SYSTEMS: Readonly<Record<string, string>> = {
  WINDOWS: 'Windows',
  MACOS: 'macOS',
  LINUX: 'Linux',
  ANDROID: 'Android',
  IOS: 'iOS',
  CHROMEOS: 'ChromeOS',
};
const WORDS = {
  en: { unknown: 'Unknown browser', on: (browser: string, os: string) => `${browser} on ${os}` },
  zh: { unknown: '未知浏览器', on: (browser: string, os: string) => `${os} 上的 ${browser}` },
};

/** interface 5.17: `CHROME · WINDOWS` → `Chrome on Windows`, `OTHER · OTHER` → `Unknown browser`. */
export function deviceWords(device: string, language: Language): string {
  const [browser = '', os = ''] = device.split(' · ');
  const { unknown, on } = WORDS[language];
  const named = BROWSERS[browser] ?? unknown;
  const system = SYSTEMS[os];
  return system === undefined ? named : on(named, system);
}
