import { KIND_WORDS } from './incident-words.js';

/** Sets a drill apart from real incidents in a list. */
export function DrillTag() {
  return (
    <>
      {' '}
      <span class="tag">{KIND_WORDS.drill}</span>
    </>
  );
}
