/** The format of a moment in a tooltip. */
export const IN_FULL: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'long' };

interface ShownTime {
  time: HTMLTimeElement;
  at: Date;
}

/** Returns the elements that show a moment. */
export function momentsIn(root: ParentNode): ShownTime[] {
  return timesIn(root).filter(({ time }) => !isDay(time));
}

/** Returns the elements that show a day, with its start in UTC. */
export function daysIn(root: ParentNode): ShownTime[] {
  return timesIn(root).filter(({ time }) => isDay(time));
}

function timesIn(root: ParentNode): ShownTime[] {
  return [...root.querySelectorAll<HTMLTimeElement>('time[datetime]')].flatMap((time) => {
    const at = new Date(time.dateTime);
    return Number.isNaN(at.getTime()) ? [] : [{ time, at }];
  });
}

function isDay({ dateTime }: HTMLTimeElement): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(dateTime);
}

/** Returns a day, given by its start in UTC, in the reader's language. */
export function dayText(at: Date): string {
  return at.toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
}

/**
 * Shows days in the reader's language, and moments in the reader's time zone, too. If the text of a moment is relative,
 * such as `5 minutes ago`, only the tooltip changes; otherwise the tooltip gets the previous text, which is in UTC.
 */
export function writeTimes(root: ParentNode): void {
  for (const { time, at } of daysIn(root)) time.textContent = dayText(at);
  for (const { time, at } of momentsIn(root)) {
    if ('relative' in time.dataset || 'since' in time.dataset) {
      time.title = at.toLocaleString(undefined, IN_FULL);
      continue;
    }
    time.title = time.textContent ?? '';
    const timeStyle = time.dataset.seconds ? 'medium' : 'short';
    time.textContent = at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle });
  }
}
