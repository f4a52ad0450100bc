import { type Message } from './message.js';
import { countOf, isOver, monitorCount, sentencesOf, spanOf, timeOf } from './wording.js';

/** How a message is coloured. */
export type Tone = 'bad' | 'warning' | 'good' | 'neutral';

export interface OutlineRow {
  label: string;
  value: string;
}

export interface OutlineLink {
  label: string;
  url: string;
}

/** A message for people, arranged for display but free of any markup. */
export interface Outline {
  title: string;
  tone: Tone;
  sentences: string[];
  rows: OutlineRow[];
  /** One line per monitor if the message concerns several; the last line may count the others. */
  monitors: string[];
  /** The first one is what the title links to. */
  links: OutlineLink[];
}

/** Monitors that a message for people names. */
const NAMED = 20;

/** Arranges a message for people: the most important first. */
export function outlineOf(message: Message): Outline {
  return {
    title: message.subject,
    tone: toneOf(message),
    sentences: sentencesOf(message),
    rows: rowsOf(message),
    monitors: monitorLines(message),
    links: linksOf(message),
  };
}

/** Returns the outline as lines of plain text. The subject is not included. */
export function plainLines({ sentences, rows, monitors, links }: Outline): string[] {
  return [
    ...sentences,
    ...rows.map(({ label, value }) => `${label}: ${value}`),
    ...monitors.map((line) => `- ${line}`),
    ...links.map(({ label, url }) => `${label}: ${url}`),
  ];
}

function toneOf({ kind, impact, resolvedAt }: Message): Tone {
  if (isOver({ kind, resolvedAt })) return 'good';
  if (kind === 'correction' || kind === 'acknowledged') return 'neutral';
  if (impact === 'down') return 'bad';
  return impact === 'none' ? 'neutral' : 'warning';
}

function rowsOf(message: Message): OutlineRow[] {
  const { reason, location, monitors, startedAt, teamName } = message;
  const rows: OutlineRow[] = [];
  const add = (label: string, value: string | null): void => {
    if (value !== null && value !== '') rows.push({ label, value });
  };
  add('Reason', reason && reason.message);
  const isNew = reason?.failedAssertion != null && !reason.message.includes(reason.failedAssertion);
  add('Failed assertion', isNew ? reason.failedAssertion : null);
  const span = spanOf(message);
  if (span !== null) add('Duration', span);
  else add('Since', startedAt && timeOf(message, startedAt));
  add('Checked from', location);
  if (countOf(message) === 1) add('Target', monitors[0]?.target ?? null);
  add('Team', teamName);
  return rows;
}

function monitorLines(message: Message): string[] {
  if (countOf(message) <= 1) return [];
  const isMixed = message.monitors.some((one) => one.recovered) && message.monitors.some((one) => !one.recovered);
  const shown = message.monitors.slice(0, NAMED);
  const lines = shown.map(({ name, recovered }) => (isMixed && recovered ? `${name} (recovered)` : name));
  const others = countOf(message) - shown.length;
  return others > 0
    ? [...lines, `and ${others === 1 ? '1 more monitor' : monitorCount(others).replace(' ', ' more ')}`]
    : lines;
}

function linksOf({ links }: Message): OutlineLink[] {
  const all: [string, string | null][] = [
    ['Open incident', links.incident],
    ['Acknowledge', links.acknowledge],
    ['Open monitor', links.monitor],
    ['Runbook', links.runbook],
  ];
  return all.flatMap(([label, url]) => (url === null ? [] : [{ label, url }]));
}
