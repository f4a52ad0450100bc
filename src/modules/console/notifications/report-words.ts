import { type AlertingFiguresDto } from '../../notifications/dto/alerting-report.dto.js';

/** Summarises how many outages were reported, and how fast. There must be at least one. */
export function reportSentence({ incidentCount, notifiedCount, confirmedToSent }: AlertingFiguresDto): string {
  const { medianSeconds, p95Seconds } = confirmedToSent;
  if (medianSeconds === null || p95Seconds === null) {
    return incidentCount === 1
      ? 'The outage was not reported to anyone.'
      : `None of the ${countText(incidentCount)} outages was reported to anyone.`;
  }
  const one = `${secondsText(medianSeconds)} after its confirmation.`;
  if (incidentCount === 1) return `The outage was reported ${one}`;
  const all = countText(incidentCount);
  if (notifiedCount === 1) return `Of ${all} outages, 1 was reported, ${one}`;
  const reported =
    notifiedCount === incidentCount
      ? `All ${all} outages were reported`
      : `Of ${all} outages, ${countText(notifiedCount)} were reported`;
  const [half, most] = [secondsText(medianSeconds), secondsText(p95Seconds)];
  return `${reported}: half within ${half} of their confirmation, 95% within ${most}.`;
}

/** Formats seconds for display: `0.8 s`, `31 s`, `2 min 5 s`, `1 h 30 min`, `2 d 3 h`. */
export function secondsText(seconds: number): string {
  const tenths = Math.round(seconds * 10) / 10;
  if (tenths < 10) return `${tenths} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return inTwo(whole, [60, 'min'], 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return inTwo(minutes, [60, 'h'], 'min');
  return inTwo(Math.round(seconds / 3_600), [24, 'd'], 'h');
}

function inTwo(count: number, [size, unit]: [number, string], smaller: string): string {
  const rest = count % size;
  return `${Math.floor(count / size)} ${unit}${rest === 0 ? '' : ` ${rest} ${smaller}`}`;
}

/** Returns `1,200` for 1200. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}
