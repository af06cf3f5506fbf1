type Language = 'en' | 'zh';

/** Names of the trade, alike in both languages. */
export const BROWSER_NAMES = {
  CHROME: 'Chrome',
  SAFARI: 'Safari',
  FIREFOX: 'Firefox',
  EDGE: 'Edge',
  OPERA: 'Opera',
  SAMSUNG: 'Samsung Internet',
  WECHAT: 'WeChat',
} as const;
export const SYSTEM_NAMES = {
  WINDOWS: 'Windows',
  MACOS: 'macOS',
  LINUX: 'Linux',
  ANDROID: 'Android',
  IOS: 'iOS',
  CHROMEOS: 'ChromeOS',
} as const;
const nameIn = (names: Readonly<Record<string, string>>, key: string): string | undefined =>
  names[key];

const WORDS = {
  en: { unknown: 'Unknown browser', on: (browser: string, os: string) => `${browser} on ${os}` },
  zh: { unknown: '未知浏览器', on: (browser: string, os: string) => `${os} 上的 ${browser}` },
};

/** Whether anything is known of it: a program that names itself otherwise tells neither. */
export function isKnownDevice(device: string): boolean {
  const [browser = '', os = ''] = device.split(' · ');
  return (nameIn(BROWSER_NAMES, browser) ?? nameIn(SYSTEM_NAMES, os)) !== undefined;
}

/** interface 5.17: `CHROME · WINDOWS` → `Chrome on Windows`, `OTHER · OTHER` → `Unknown browser`. */
export function deviceWords(device: string, language: Language): string {
  const [browser = '', os = ''] = device.split(' · ');
  const { unknown, on } = WORDS[language];
  const named = nameIn(BROWSER_NAMES, browser) ?? unknown;
  const system = nameIn(SYSTEM_NAMES, os);
  return system === undefined ? named : on(named, system);
}
