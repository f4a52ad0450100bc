/** The visual mark of a state. Each kind has its own shape and colour. */
export type Mark = 'up' | 'degraded' | 'down' | 'maintenance' | 'paused' | 'excluded' | 'unknown';

export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  maintenance: 'Maintenance',
  paused: 'Paused',
  excluded: 'Excluded',
  unknown: 'No data',
};

/** The same shapes as text, for the page title. */
export const MARK_GLYPHS: Readonly<Record<Mark, string>> = {
  up: '●',
  degraded: '◐',
  down: '▲',
  maintenance: '◆',
  paused: '‖',
  excluded: '–',
  unknown: '○',
};
