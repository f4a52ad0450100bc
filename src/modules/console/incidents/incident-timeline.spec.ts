import { expect, it } from '@jest/globals';
import { type IncidentDto, type IncidentUpdateDto } from '../../incidents/dto/incident.dto.js';
import { type ChannelOutcome } from '../../notifications/channel-outcomes.service.js';
import { type IncidentEvent, incidentEvents } from './incident-timeline.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const update = (minute: number, phase: IncidentUpdateDto['phase']) => ({ at: at(minute), phase }) as IncidentUpdateDto;
function place(name: string, confirmed: number, resolved: number | null): IncidentDto['locations'][number] {
  const resolvedAt = resolved === null ? null : at(resolved);
  return { location: name, name, startedAt: at(0), confirmedAt: at(confirmed), resolvedAt };
}

const DETECTED: Partial<IncidentDto> = { kind: 'detected', outageCount: 1, confirmedAt: at(1), createdAt: at(1) };
const MANUAL: Partial<IncidentDto> = { kind: 'manual', outageCount: 0, createdAt: at(0) };

it.each<[string, Partial<IncidentDto>, string[]]>([
  ['that was just detected', DETECTED, ['0 started', '1 confirmed']],
  [
    'that was acknowledged, updated and recovered from',
    { ...DETECTED, acknowledgedAt: at(3), resolvedAt: at(5), updates: [update(2, 'note'), update(4, 'monitoring')] },
    ['0 started', '1 confirmed', '2 note', '3 acknowledged', '4 monitoring', '5 recovered'],
  ],
  [
    'of a monitor with several locations',
    { ...DETECTED, confirmedAt: at(3), resolvedAt: at(6), locations: [place('A', 1, 8), place('B', 3, null)] },
    ['0 started', '1 failed at A', '3 failed at B', '3 confirmed', '6 recovered', '8 recovered at A'],
  ],
  // Results arrived late: there was no recovery, because there was no outage.
  ['that was retracted', { ...DETECTED, outageCount: 0, resolvedAt: at(0) }, ['0 started', '1 confirmed']],
  ['that is reported at once', { ...MANUAL, updates: [update(0, 'investigating')] }, ['0 started', '0 investigating']],
  ['that is reported later', { ...MANUAL, createdAt: at(9) }, ['0 started', '9 reported']],
  [
    'that an update resolves',
    { ...MANUAL, resolvedAt: at(5), updates: [update(5, 'resolved'), update(6, 'postmortem')] },
    ['0 started', '5 resolved', '6 postmortem'],
  ],
  [
    'that is resolved before the closing message',
    { ...MANUAL, resolvedAt: at(4), updates: [update(5, 'resolved')] },
    ['0 started', '4 resolved', '5 resolved'],
  ],
])('an incident %s has its events in order', (_, members, expected) => {
  expect(shown(members)).toEqual(expected);
});

it('has its notifications where they were sent', () => {
  const sent = [outcome(2, { kind: 'trigger', step: 1 }), outcome(6, { kind: 'resolve', step: 1 })];
  const members = { ...DETECTED, acknowledgedAt: at(3), resolvedAt: at(5) };
  const expected = ['0 started', '1 confirmed', '2 trigger', '3 acknowledged', '5 recovered', '6 resolve'];
  expect(shown(members, sent)).toEqual(expected);
});

it('shows the first 20 moments of notifications', () => {
  const sent = Array.from({ length: 25 }, (_, minute) => outcome(minute, { kind: 'trigger', step: minute }));
  expect(shown(MANUAL, sent)).toHaveLength(1 + 20);
});

function shown(members: Partial<IncidentDto>, outcomes: readonly ChannelOutcome[] = []): string[] {
  const base = {
    startedAt: at(0),
    confirmedAt: null,
    resolvedAt: null,
    acknowledgedAt: null,
    updates: [],
    locations: [],
  };
  const events = incidentEvents({ ...base, ...members } as unknown as IncidentDto, outcomes);
  return events.map((one) => `${new Date(one.at).getUTCMinutes()} ${wordOf(one)}`);
}

function wordOf(event: IncidentEvent): string {
  if (event.is === 'update') return event.update.phase;
  if ('location' in event) return `${event.is} ${event.location}`;
  return event.is === 'notified' ? event.group.kind : event.is;
}

function outcome(minute: number, members: Partial<ChannelOutcome>): ChannelOutcome {
  const moment = new Date(at(minute));
  return { status: 'sent', count: 1, firstAt: moment, lastAt: moment, ...members } as ChannelOutcome;
}
