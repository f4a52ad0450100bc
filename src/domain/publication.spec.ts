import { describe, expect, it } from '@jest/globals';
import { type PublicationContent, publicationOf } from './publication.js';

const NOW_MS = Date.parse('2026-11-26T12:00:00Z');
const [BEFORE, AFTER] = ['2026-11-26T11:59:59.000Z', '2026-11-26T12:00:01.000Z'];

const stateOf = (type: string, data: Record<string, unknown>): Partial<PublicationContent> | null =>
  publicationOf(
    { type, occurredAt: BEFORE, resource: { id: 'w', name: 'Upgrade' }, data: { description: 'Text', ...data } },
    null,
    NOW_MS,
  );

describe('an update of an incident', () => {
  const update = { at: BEFORE, phase: 'identified', text: 'A faulty release.' };

  it('is published with the title of the incident', () => {
    const data = { update: { ...update, public: true } };
    const event = {
      type: 'incident.updated',
      occurredAt: AFTER,
      resource: { id: 'i', name: 'shop-db-1 is down' },
      data,
    };
    const common = { kind: 'incident', subjectId: 'i', state: 'identified', text: 'A faulty release.', at: BEFORE };
    expect(publicationOf(event, null, NOW_MS)).toMatchObject({ ...common, title: null });
    expect(publicationOf(event, 'Slow checkout', NOW_MS)).toMatchObject({ ...common, title: 'Slow checkout' });
  });

  it('is not published if it is internal', () => {
    expect(stateOf('incident.updated', { update: { ...update, public: false } })).toBeNull();
  });
});

describe('maintenance', () => {
  it.each<[string, Record<string, unknown>, Partial<PublicationContent> | null]>([
    ['maintenance_window.created', { startsAt: AFTER }, { state: 'scheduled', text: 'Text', startsAt: AFTER }],
    ['maintenance_window.created', { startsAt: BEFORE }, null],
    ['maintenance_window.created', { startsAt: null }, null],
    ['maintenance_window.updated', { startsAt: AFTER }, { state: 'rescheduled', text: 'Text' }],
    ['maintenance_window.updated', { startsAt: AFTER, announced: true }, { state: 'scheduled', text: 'Text' }],
    ['maintenance_window.updated', { startsAt: BEFORE, announced: true }, null],
    ['maintenance_window.updated', { startsAt: AFTER, cancelled: true }, { state: 'cancelled', text: null }],
    ['maintenance_window.updated', { startsAt: BEFORE, cancelled: true }, null],
    ['maintenance_window.deleted', { startsAt: AFTER }, { state: 'cancelled', text: null, startsAt: AFTER }],
    ['maintenance_window.deleted', { startsAt: BEFORE }, null],
    ['maintenance_window.deleted', { startsAt: null }, null],
    ['maintenance.started', { startsAt: BEFORE }, { state: 'started', text: 'Text' }],
    ['maintenance.ended', { startsAt: BEFORE }, { state: 'ended', text: null }],
  ])('is published for %s with %j', (type, data, content) => {
    const published = stateOf(type, data);
    if (content === null) expect(published).toBeNull();
    else expect(published).toMatchObject({ kind: 'maintenance', title: 'Upgrade', ...content });
  });
});
