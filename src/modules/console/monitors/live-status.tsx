import { exact } from '../../../html/time-text.js';
import { type PageFrame } from '../page-frame.js';

interface LiveStatusProps {
  frame: PageFrame;
  /** The monitors of the page. */
  ids: readonly string[];
  /** Whether new monitors appear on the page. */
  isFirstPage: boolean;
  /** What else the page updates. */
  also?: 'counts' | 'evidence';
  /**
   * Whether the page shows the first monitor as soon as it exists, because there is no other content that it could
   * move.
   */
  awaitsFirst?: boolean;
}

/**
 * The time at which the page was rendered. The script follows the events at the given address, and then shows that the
 * page is live.
 */
export function LiveStatus({ frame, ids, isFirstPage, also, awaitsFirst = false }: LiveStatusProps) {
  const query = new URLSearchParams({ team: frame.who!.teamId });
  for (const id of ids) query.append('id', id);
  if (isFirstPage) query.set('since', String(frame.nowMs));
  if (also) query.set(also, 'true');
  return (
    <p
      class="quiet live"
      data-swap="live"
      data-events={`/monitors/events?${query.toString()}`}
      data-now={frame.nowMs}
      data-live-first={awaitsFirst ? true : undefined}
    >
      <span data-live-word>As of {exact(frame.nowMs).slice(11)}.</span>{' '}
      <a href={frame.path} data-live-reload>
        Reload
      </a>
      <span role="status">
        <a href={frame.path} data-live-new hidden>
          Show
        </a>
      </span>
    </p>
  );
}
