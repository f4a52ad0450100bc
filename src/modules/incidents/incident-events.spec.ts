import { expect, it } from '@jest/globals';
import { type IncidentDto } from './dto/incident.dto.js';
import { writtenEvents } from './incident-events.js';

function incident(ids: string[]): IncidentDto {
  const updates = ids.map((id) => ({ id }));
  return { id: 'i', revision: updates.length, kind: 'manual', resolvedAt: null, updates } as IncidentDto;
}

it.each<[string[], string[], string]>([
  [['note'], ['note', 'cause'], 'cause'],
  [['note'], ['cause', 'note'], 'cause'],
  [[], ['cause'], 'cause'],
])('a write that turns the updates %j into %j is recorded with %s', (before, after, id) => {
  expect(writtenEvents('t', incident(before), incident(after), true)).toMatchObject([
    { type: 'incident.updated', data: { update: { id }, notifySubscribers: true } },
  ]);
});
