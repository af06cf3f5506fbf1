import { loadConfig } from '../config.ts';

test.each(['CRASH_BEFORE_STEP', 'CRASH_AFTER_STEP'])(
  '%s · in tests · is taken; anywhere else · the process does not start',
  (name) => {
    const crash = { [name]: 'deposit.open' };
    expect(Object.values(loadConfig({ NODE_ENV: 'test', ...crash }).crash)).toContain(
      'deposit.open',
    );
    for (const NODE_ENV of ['development', 'production']) {
      expect(() => loadConfig({ NODE_ENV, ...crash })).toThrow('are for tests only');
    }
    expect(() => loadConfig(crash)).toThrow('are for tests only');
  },
);
