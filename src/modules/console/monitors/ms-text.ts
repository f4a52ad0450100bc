/** Formats milliseconds for display: `8.4 ms`, `84 ms`, `12.3 s`. */
export function msText(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
