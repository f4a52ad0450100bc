/** Returns whether an error means that a referenced row no longer exists. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { driverError } = error as { driverError?: { code?: string } };
  return driverError?.code === '23503';
}
