import { describe, expect, it } from '@jest/globals';
import { type EventDto } from '../../events/dto/event.dto.js';
import { actorWords, eventWords, pathOfResource, valueWords } from './event-words.js';

const event = (type: string, more: Partial<EventDto> = {}): EventDto => ({
  id: 'e',
  type,
  occurredAt: '2026-01-01T12:00:00.000Z',
  recordedAt: '2026-01-01T12:00:00.000Z',
  actor: { type: 'system', id: null, name: null },
  requestId: null,
  resource: { type: 'monitor', id: 'm', key: null, name: 'Shop' },
  changes: null,
  data: {},
  ...more,
});

describe('an event in words', () => {
  it('names what happened, also for a type that is not known here', () => {
    expect([eventWords(event('monitor.paused')), eventWords(event('thing.made'))]).toEqual(['Paused', 'thing.made']);
  });

  it.each<[EventDto['actor'], string]>([
    [{ type: 'system', id: null, name: null }, 'Daywatch'],
    [{ type: 'person', id: 'p', name: 'Ada' }, 'Ada'],
    [{ type: 'api_key', id: 'k', name: 'CI' }, 'API key CI'],
    [{ type: 'person', id: 'p', name: null }, 'unknown'],
  ])('names %j as the author', (actor, words) => {
    expect(actorWords(event('monitor.paused', { actor }))).toBe(words);
  });

  it('links to what still has a page', () => {
    const key = { type: 'api_key', id: 'k', key: null, name: 'CI' } as const;
    expect(pathOfResource(event('monitor.paused'))).toBe('/monitors/m');
    expect(pathOfResource(event('monitor.deleted'))).toBeNull();
    expect(pathOfResource(event('api_key.created', { resource: key }))).toBeNull();
  });

  it.each<[unknown, string]>([
    [null, 'none'],
    ['', 'empty'],
    ['a', 'a'],
    [60, '60'],
    [['a', 'b'], '["a","b"]'],
  ])('shows the value %j as %s', (value, words) => {
    expect(valueWords(value)).toBe(words);
  });
});
