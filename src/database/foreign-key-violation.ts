/** Whether an error says that a row which was referred to is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { driverError } = error as { driverError?: { code?: string } };
  return driverError?.code === '23503';
}
