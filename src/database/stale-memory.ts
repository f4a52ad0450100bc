/**
 * Thrown if rows that this process holds in memory were changed by another process. The transaction must be rolled
 * back, the remembered rows discarded, and the work repeated.
 */
export class StaleMemory extends Error {
  override readonly name = 'StaleMemory';
}
