/**
 * What this process remembers of rows is not what is stored: another one has written them meanwhile. The transaction is
 * to be rolled back, what is remembered forgotten, and the work done again.
 */
export class StaleMemory extends Error {
  override readonly name = 'StaleMemory';
}
