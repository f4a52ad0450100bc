import { exact } from '../../../html/time-text.js';
import { type PageFrame } from '../page-frame.js';

interface LiveStatusProps {
  frame: PageFrame;
  /** The monitors of the page. */
  ids: readonly string[];
  /** Whether new monitors belong on it. */
  isFirstPage: boolean;
  /** What it shows beside them. */
  also?: 'counts' | 'evidence';
  /** Whether there is nothing on it that a new monitor could move: it then shows the first one at once. */
  awaitsFirst?: boolean;
}

/** Of when the page is. Its script follows the events that it names, and then says that it is live. */
export function LiveStatus({ frame, ids, isFirstPage, also, awaitsFirst = false }: LiveStatusProps) {
  const query = new URLSearchParams({ team: frame.who!.teamId });
  for (const id of ids) query.append('id', id);
  if (isFirstPage) query.set('since', String(frame.nowMs));
  if (also) query.set(also, 'true');
  return (
    <p
      class="quiet live"
      data-events={`/monitors/events?${query.toString()}`}
      data-live-first={awaitsFirst ? true : undefined}
    >
      <span data-live-word>As of {exact(frame.nowMs).slice(11)}.</span> <a href={frame.path}>Reload</a>
      <span role="status">
        <a href={frame.path} data-live-new hidden>
          Show
        </a>
      </span>
    </p>
  );
}
