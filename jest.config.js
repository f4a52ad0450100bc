/**
 * Tests run on the compiled tree (`npm run build:test`): one type-checked compilation for all files, the same
 * compiler plugin as in production, and worker threads find their entry files beside the code under test.
 */
export default {
  rootDir: 'build/test',
  testRegex: '\\.spec\\.js$',
  testEnvironment: 'node',
  transform: {},
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testTimeout: 60_000,
  // Much of the time is waiting: for processes, sockets and slots.
  maxWorkers: 3,
};
