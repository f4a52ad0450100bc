import { type Mark } from '../../../html/marks.js';
import { StateMark } from '../../../html/state-mark.js';

/** A state, always as colour, shape and word. */
export function State({ mark, word }: { mark: Mark; word: string }) {
  return (
    <span class="state">
      <StateMark mark={mark} />
      {word}
    </span>
  );
}
