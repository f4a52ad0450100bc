/** Returns whether an error means that a write violated this unique constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { driverError } = error as { driverError?: { code?: string; constraint?: string } };
  return driverError?.code === '23505' && driverError.constraint === constraint;
}
