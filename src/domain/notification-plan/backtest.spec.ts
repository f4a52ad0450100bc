import { describe, expect, it } from '@jest/globals';
import { figuresOf } from './backtest.js';

const at = (time: string, channelId = 'a') => ({ channelId, dueAt: Date.parse(time) });

describe('figuresOf', () => {
  it.each([
    ['2026-11-24T20:59:59.999Z', 'Europe/Berlin', 21, 0],
    ['2026-11-24T21:00:00.000Z', 'Europe/Berlin', 22, 1],
    ['2026-11-24T05:59:59.999Z', 'Europe/Berlin', 6, 1],
    ['2026-11-24T06:00:00.000Z', 'Europe/Berlin', 7, 0],
    ['2026-07-24T04:59:59.999Z', 'Europe/Berlin', 6, 1],
    ['2026-07-24T05:00:00.000Z', 'Europe/Berlin', 7, 0],
    ['2026-11-24T18:14:59.999Z', 'Asia/Kathmandu', 23, 1],
    ['2026-11-24T18:15:00.000Z', 'Asia/Kathmandu', 0, 1],
    ['2026-11-24T12:00:00.000Z', 'UTC', 12, 0],
  ])('counts %s in %s in hour %i, at night %i', (time, timezone, hour, atNight) => {
    const figures = figuresOf([at(time)], timezone);
    expect(figures).toMatchObject({ notifications: 1, atNight });
    expect(figures.byHour.map((count, index) => count * index).reduce((a, b) => a + b)).toBe(hour);
    expect(figures.byHour).toHaveLength(24);
  });

  it('counts by channel', () => {
    const sends = [at('2026-11-24T12:00:00Z'), at('2026-11-24T23:00:00Z'), at('2026-11-24T03:00:00Z', 'b')];
    expect(figuresOf(sends, 'UTC')).toMatchObject({ notifications: 3, atNight: 2 });
    expect([...figuresOf(sends, 'UTC').byChannel]).toEqual([
      ['a', { notifications: 2, atNight: 1 }],
      ['b', { notifications: 1, atNight: 1 }],
    ]);
  });
});
