/**
 * How many times longer a test may take than it says: it says what a machine takes that does nothing else, and one
 * that does much else should not fail for it. A test that passes waits no longer for it.
 */
export const PATIENCE = 4;
