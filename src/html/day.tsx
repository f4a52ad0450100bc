import { dayText } from './time-text.js';

/** Renders a day such as `2026-01-01`, which scripts write in the reader's language. */
export function Day({ date }: { date: string }) {
  return <time dateTime={date}>{dayText(date)}</time>;
}
