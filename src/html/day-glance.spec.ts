import { describe, expect, it } from '@jest/globals';
import { type ShownDay } from './day-figures.js';
import { barsViewBox, glanceMarkup } from './day-glance.js';

function day(figures: Partial<ShownDay>): ShownDay {
  return {
    date: '2026-01-01',
    status: 'up',
    uptimePercent: 100,
    incidentCount: 0,
    upSeconds: 0,
    degradedSeconds: 0,
    downSeconds: 0,
    maintenanceSeconds: 0,
    pausedSeconds: 0,
    excludedSeconds: 0,
    unknownSeconds: 0,
    ...figures,
  };
}

describe('glanceMarkup', () => {
  it('draws all bars of a kind with one path, each at the position of its day', () => {
    const days = [day({ upSeconds: 86_400 }), day({ upSeconds: 43_200, downSeconds: 43_200 })];
    expect(glanceMarkup(days)).toBe(
      '<path class="up" d="M0 0h9.5v36h-9.5zM10 0h9.5v18h-9.5z"/><path class="down" d="M10 18h9.5v18h-9.5z"/>',
    );
  });

  it('makes short trouble visible', () => {
    expect(glanceMarkup([day({ upSeconds: 86_399, downSeconds: 1 })])).toContain(
      '<path class="down" d="M0 24h9.5v12h-9.5z"/>',
    );
  });

  it('hatches unknown time and never draws it as up', () => {
    expect(glanceMarkup([day({ upSeconds: 1 }), day({})])).toContain(
      '<path fill="url(#unknown-hatch)" d="M10 0h9.5v36h-9.5z"/>',
    );
  });

  it('leaves slots empty before the first result', () => {
    expect(glanceMarkup([day({}), day({ upSeconds: 1 })])).toBe(
      '<path class="slot" d="M0 0h9.5v36h-9.5z"/><path class="up" d="M10 0h9.5v36h-9.5z"/>',
    );
  });

  it('draws nothing for no days', () => {
    expect(glanceMarkup([])).toBe('');
  });

  it('has a view box as wide as its bars', () => {
    expect(barsViewBox(90)).toBe('0 0 898 36');
  });
});
