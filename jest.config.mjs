import { availableParallelism } from 'node:os';

export default {
  testEnvironment: '<rootDir>/test/support/one-realm.cjs',
  runtime: '<rootDir>/test/support/shared-modules.cjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '\\.(ts|mjs|js)$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
      },
    ],
  },
  reporters: [
    '<rootDir>/test/support/few-platforms.cjs',
    '<rootDir>/test/support/plain-reporter.cjs',
    'summary',
    '<rootDir>/test/support/at-an-end.cjs',
  ],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  testTimeout: 60_000,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  // On two cores: two leave a third of the processors idle, as they wait for platforms and flows. Redis's
  // databases are shared out among three (test/support/database.ts).
  maxWorkers: availableParallelism() < 2 ? 2 : 3,
};
