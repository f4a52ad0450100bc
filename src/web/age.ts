const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

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
    const ms = Date.now() - Date.parse(one.dateTime);
    if (ms >= 0) write(one, `${ageText(ms)} ago`);
  }
  for (const one of root.querySelectorAll<HTMLElement>('[data-since]')) {
    write(one, ageText(Date.now() - Date.parse(one.dataset.since!)));
  }
}

function write(one: HTMLElement, text: string): void {
  if (one.textContent !== text) one.textContent = text;
}
