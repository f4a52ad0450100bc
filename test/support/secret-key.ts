/** The `SECRET_KEY` of every service under test, unless a test overrides it. */
export const TEST_SECRET_KEY = 'a key of the tests that seals nothing of worth';
