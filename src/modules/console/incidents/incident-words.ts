import { type Mark } from '../../../html/marks.js';
import { PHASE_WORDS } from '../../../html/status-words.js';
import { duration } from '../../../html/time-text.js';
import { type Impact, type IncidentDto, type Phase } from '../../incidents/dto/incident.dto.js';
import { type Choice } from '../html/fields.js';

export const IMPACT_CHOICES: readonly (Choice & { value: Impact })[] = [
  { value: 'degraded', label: 'Degraded', help: 'slow, or partly unavailable' },
  { value: 'down', label: 'Down', help: 'unavailable' },
  { value: 'none', label: 'Informational', help: 'does not affect the status' },
];

export function impactWord(impact: Impact): string {
  return IMPACT_CHOICES.find(({ value }) => value === impact)?.label ?? impact;
}

/** The choices of the first update of a reported incident. */
export const FIRST_PHASES: readonly Choice[] = [
  phaseChoice('investigating', 'we are looking into it'),
  phaseChoice('identified', 'we know the cause'),
  phaseChoice('monitoring', 'a fix is deployed, and we are watching it'),
  phaseChoice('resolved', 'the incident is over'),
  phaseChoice('note', 'internal'),
];

function phaseChoice(value: Phase, help: string): Choice {
  return { value, label: PHASE_WORDS[value], help };
}

/** Returns the state of an incident as a mark and a word. Nothing is down because of a drill. */
export function incidentMark({ kind, status, impact, outageCount }: MarkedIncident): { mark: Mark; word: string } {
  if (kind === 'drill')
    return status === 'open' ? { mark: 'unknown', word: 'Open' } : { mark: 'unknown', word: 'Ended' };
  if (status === 'resolved') return { mark: 'up', word: 'Resolved' };
  if (outageCount > 1) return { mark: impact === 'none' ? 'unknown' : impact, word: 'Open, flapping' };
  if (impact === 'none') return { mark: 'unknown', word: 'Open' };
  return { mark: impact, word: impact === 'down' ? 'Open, down' : 'Open, degraded' };
}

type MarkedIncident = Pick<IncidentDto, 'kind' | 'status' | 'impact' | 'outageCount'>;

/** Returns whether an acknowledgement is in effect. */
export function isAcknowledged(
  { acknowledgedAt, acknowledgedUntil }: Pick<IncidentDto, 'acknowledgedAt' | 'acknowledgedUntil'>,
  nowMs: number,
): boolean {
  return acknowledgedAt !== null && (acknowledgedUntil === null || Date.parse(acknowledgedUntil) > nowMs);
}

/** Returns whether somebody is on an open incident. */
export function isHandled(incident: Parameters<typeof isAcknowledged>[0] & Pick<IncidentDto, 'status'>, nowMs: number) {
  return incident.status === 'open' && isAcknowledged(incident, nowMs);
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
  drill: 'Drill',
};
