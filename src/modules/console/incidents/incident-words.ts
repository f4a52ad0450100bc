import { type Mark } from '../../../html/marks.js';
import { PHASE_WORDS } from '../../../html/status-words.js';
import { duration } from '../../../html/time-text.js';
import { type Impact, type IncidentDto, type Phase } from '../../incidents/dto/incident.dto.js';
import { type Choice } from '../html/fields.js';

export const IMPACT_CHOICES: readonly (Choice & { value: Impact })[] = [
  { value: 'degraded', label: 'Degraded', help: 'slow, or partly unavailable' },
  { value: 'down', label: 'Down', help: 'unavailable' },
  { value: 'none', label: 'Informational', help: 'changes no state' },
];

const PHASE_HELP: Readonly<Record<Phase, string>> = {
  investigating: 'we are looking for the cause',
  identified: 'we know the cause',
  monitoring: 'a fix is deployed, and we are watching it',
  resolved: 'the incident is over',
  note: 'internal, unless you make it public',
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
  return `${duration(ms)}${outages}${resolvedAt === null ? ', ongoing' : ''}`;
}

export const KIND_WORDS: Readonly<Record<IncidentDto['kind'], string>> = {
  detected: 'Automatic',
  manual: 'Manual',
};
