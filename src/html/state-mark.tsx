import { type JSX } from 'preact';
import { type Mark } from './marks.js';

/** The shape of each state in a 12 × 12 view box. Drawn rather than written, so that it does not depend on fonts. */
const SHAPES: Readonly<Record<Mark, JSX.Element>> = {
  up: <circle cx="6" cy="6" r="5" stroke="none" />,
  degraded: (
    <>
      <circle class="hollow" cx="6" cy="6" r="4.5" fill="none" stroke-width="1.5" />
      <path d="M6 1.5a4.5 4.5 0 0 1 0 9z" stroke="none" />
    </>
  ),
  down: <path d="M6 .8 11.6 11H.4z" stroke="none" />,
  maintenance: <path d="M6 0l6 6-6 6-6-6z" stroke="none" />,
  paused: <path d="M2.5 1h2.4v10H2.5zM7.1 1h2.4v10H7.1z" stroke="none" />,
  excluded: <path d="M1 4.8h10v2.4H1z" stroke="none" />,
  unknown: <circle class="hollow" cx="6" cy="6" r="4.5" fill="none" stroke-width="1.5" />,
};

/** The shape of a state without colours of its own; it takes those of its container. */
export function StateShape({ mark }: { mark: Mark }) {
  return SHAPES[mark];
}

/** The shape of a state in its colour. Hidden from screen readers, because the word is next to it. */
export function StateMark({ mark }: { mark: Mark }) {
  return (
    <svg class={`mark ${mark}`} viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[mark]}
    </svg>
  );
}

/** Medium tones, which contrast with both light and dark tab bars. */
const ICON_COLOURS: Readonly<Record<Mark, string>> = {
  up: '#2f9e44',
  degraded: '#f08c00',
  down: '#e03131',
  maintenance: '#1c7ed6',
  paused: '#868e96',
  excluded: '#7950f2',
  unknown: '#868e96',
};

/** The same shape as a standalone image, for the tab of the browser. */
export function StateIcon({ mark }: { mark: Mark }) {
  const colour = ICON_COLOURS[mark];
  return (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 14 14" fill={colour} stroke={colour}>
      {SHAPES[mark]}
    </svg>
  );
}
