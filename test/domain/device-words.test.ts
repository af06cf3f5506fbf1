import { deviceWords, isKnownDevice } from '../../domain/device-words.ts';

test.each([
  ['CHROME · WINDOWS', 'Chrome on Windows', 'Windows 上的 Chrome'],
  ['WECHAT · IOS', 'WeChat on iOS', 'iOS 上的 WeChat'],
  ['OTHER · LINUX', 'Unknown browser on Linux', 'Linux 上的 未知浏览器'],
  ['SAFARI · OTHER', 'Safari', 'Safari'],
  ['OTHER · OTHER', 'Unknown browser', '未知浏览器'],
])('%s · said to a person · in words', (device, english, chinese) => {
  expect([deviceWords(device, 'en'), deviceWords(device, 'zh')]).toEqual([english, chinese]);
});

test.each([
  ['CHROME · OTHER', true],
  ['OTHER · LINUX', true],
  ['OTHER · OTHER', false],
])('%s · as a name of a session · is known: %s', (device, isKnown) => {
  expect(isKnownDevice(device)).toBe(isKnown);
});
