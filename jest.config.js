/**
 * Tests run on the compiled tree (`npm run build:test`): all files are compiled once, with the same compiler plugin as in
 * production, and worker threads find their entry files beside the code under test. `npm run types` checks types.
 *
 * The suffix of a file states what the test needs: `.spec` nothing else, `.db.spec` a database, `.e2e.spec` a running
 * service, and `.slow.spec` more than that, such as processes to kill, a browser or a full disk.
 */
const shared = {
  rootDir: 'build/test',
  testEnvironment: '<rootDir>/test/support/jest-environment.js',
  transform: {},
};

/** Starts and stops the database server that all tests of a run share. */
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
  // Tests spend much of their time waiting for processes, sockets and slots.
  maxWorkers: 4,
};
