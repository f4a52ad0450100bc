/** What a state looks like: each kind has a shape and a colour of its own. */
export type Mark = 'up' | 'degraded' | 'down' | 'maintenance' | 'paused' | 'excluded' | 'unknown';

export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  maintenance: 'Maintenance',
  paused: 'Paused',
  excluded: 'Not counted',
  unknown: 'No data',
};

/** The same shapes as text, for the title of the page. */
export const MARK_GLYPHS: Readonly<Record<Mark, string>> = {
  up: '●',
  degraded: '◐',
  down: '▲',
  maintenance: '◆',
  paused: '‖',
  excluded: '–',
  unknown: '○',
};
