/**
 * Tests run on the compiled tree (`npm run build:test`): one type-checked compilation for all files, the same
 * compiler plugin as in production, and worker threads find their entry files beside the code under test.
 *
 * The name of a file says what it needs: `.spec` nothing but itself, `.db.spec` a database, `.e2e.spec` a running
 * service, and `.slow.spec` more than that: processes to kill, a browser, a full disk.
 */
const shared = {
  rootDir: 'build/test',
  testEnvironment: '<rootDir>/test/support/jest-environment.js',
  transform: {},
};

/** The database server that a run of the tests shares. */
const withDatabase = {
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
};

export default {
  projects: [
    { ...shared, displayName: 'unit', testRegex: '(?<!\\.(db|e2e|slow))\\.spec\\.js$' },
    { ...shared, ...withDatabase, displayName: 'e2e', testRegex: '\\.(db|e2e)\\.spec\\.js$' },
    { ...shared, ...withDatabase, displayName: 'slow', testRegex: '\\.slow\\.spec\\.js$' },
  ],
  testSequencer: '<rootDir>/scripts/long-files-first.js',
  reporters: ['default', '<rootDir>/build/test/test/support/slowest-files.js'],
  testTimeout: 120_000,
  // Much of the time is waiting: for processes, sockets and slots.
  maxWorkers: 4,
};
