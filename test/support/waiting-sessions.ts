/** Returns the process ids of the sessions that wait for a lock, in the database that `query` reads. */
export async function waitingSessions(query: (sql: string) => Promise<unknown>): Promise<number[]> {
  const rows = await query(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return (rows as { pid: number }[]).map(({ pid }) => pid);
}
