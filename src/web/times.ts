const IN_FULL: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'long' };

function momentsIn(root: ParentNode): { time: HTMLTimeElement; at: Date }[] {
  return [...root.querySelectorAll<HTMLTimeElement>('time[datetime]')].flatMap((time) => {
    const at = new Date(time.dateTime);
    return Number.isNaN(at.getTime()) ? [] : [{ time, at }];
  });
}

/**
 * Shows moments in the reader's time zone. If the text is relative, such as `5 minutes ago`, only the tooltip changes;
 * otherwise the tooltip gets the previous text, which is in UTC.
 */
export function writeTimes(root: ParentNode): void {
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

/** Adds the reader's time to the tooltips of moments, which are shown in the time zone of the page. */
export function addOwnTimes(root: ParentNode): void {
  for (const { time, at } of momentsIn(root)) {
    time.title += `\n${at.toLocaleString(undefined, IN_FULL)} (your time)`;
  }
}
