import { type Mark } from '../../../html/marks.js';
import { PHASE_WORDS } from '../../../html/status-words.js';
import { duration } from '../../../html/time-text.js';
import { type Impact, type IncidentDto, type Phase } from '../../incidents/dto/incident.dto.js';
import { type Choice } from '../html/fields.js';

export const IMPACT_CHOICES: readonly (Choice & { value: Impact })[] = [
  { value: 'degraded', label: 'Degraded', help: 'it works, but slowly or in part' },
  { value: 'down', label: 'Down', help: 'it cannot be used' },
  { value: 'none', label: 'None', help: 'only to be told: no state changes by it' },
];

const PHASE_HELP: Readonly<Record<Phase, string>> = {
  investigating: 'the cause is being looked for',
  identified: 'the cause is known',
  monitoring: 'it is mended, and watched',
  resolved: 'it is over',
  note: 'for the team alone, unless you say otherwise',
};

/**
 * Returns the phases that an update may have. `resolved` is not one of them while a detected incident is open, because
 * it resolves by itself.
 */
export function phaseChoices({ kind, status }: Pick<IncidentDto, 'kind' | 'status'>): Choice[] {
  const phases = Object.entries(PHASE_HELP) as [Phase, string][];
  return phases
    .filter(([phase]) => phase !== 'resolved' || kind === 'manual' || status === 'resolved')
    .map(([value, help]) => ({ value, label: PHASE_WORDS[value], help }));
}

/** Returns the state of an incident as a mark and a word. */
export function incidentMark({ status, impact, outageCount }: Pick<IncidentDto, 'status' | 'impact' | 'outageCount'>): {
  mark: Mark;
  word: string;
} {
  if (status === 'resolved') return { mark: 'up', word: 'Resolved' };
  if (outageCount > 1) return { mark: impact === 'none' ? 'unknown' : impact, word: 'Open, flapping' };
  if (impact === 'none') return { mark: 'unknown', word: 'Open' };
  return { mark: impact, word: impact === 'down' ? 'Open, down' : 'Open, degraded' };
}

/** Returns how long an incident lasted or has lasted, and its number of outages if there are several. */
export function lengthWords({ startedAt, resolvedAt, outageCount }: IncidentDto, nowMs: number): string {
  const ms = (resolvedAt === null ? nowMs : Date.parse(resolvedAt)) - Date.parse(startedAt);
  const outages = outageCount > 1 ? `, ${outageCount} outages` : '';
  return `${duration(ms)}${resolvedAt === null ? ' so far' : ''}${outages}`;
}

export const KIND_WORDS: Readonly<Record<IncidentDto['kind'], string>> = {
  detected: 'Found by checks',
  manual: 'Reported by hand',
};
