const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** The service's clock minus the reader's, which may be wrong, for example that of a screen on the wall. */
let aheadMs = 0;

/** Sets the clock by the current time of the service. Ignores NaN. */
export function setClock(serviceMs: number): void {
  if (!Number.isNaN(serviceMs)) aheadMs = serviceMs - Date.now();
}

/** Returns the current time of the service, as far as it is known. */
export function now(): number {
  return Date.now() + aheadMs;
}

/** Returns a duration in its largest unit, such as `6 minutes`. Negative counts as `0 seconds`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [length, unit] = UNITS.find(([unitSeconds]) => seconds >= unitSeconds) ?? [1, 'second'];
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Shows the time since each moment that is marked for it, and that of relative times in the past. */
export function writeAges(root: ParentNode): void {
  for (const one of root.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    const ms = now() - Date.parse(one.dateTime);
    if (ms >= 0) write(one, `${ageText(ms)} ago`);
  }
  for (const one of root.querySelectorAll<HTMLElement>('[data-since]')) {
    write(one, ageText(now() - Date.parse(one.dataset.since!)));
  }
}

function write(one: HTMLElement, text: string): void {
  if (one.textContent !== text) one.textContent = text;
}
