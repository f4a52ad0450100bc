import { type ComponentChildren } from 'preact';
import { Time } from '../html/time.js';

interface EntryProps {
  at: string;
  title: string;
  /** The class of the state whose colour the entry has. */
  tone?: string | undefined;
  by?: string;
  tag?: string;
  seconds?: boolean;
  children?: ComponentChildren;
}

/** An event of a timeline: what happened, who did it, and when. */
export function Entry({ at, title, tone, by, tag, seconds = false, children }: EntryProps) {
  return (
    <li class={tone}>
      <p class="event">
        <strong>{title}</strong>
        {tag !== undefined && <span class="tag">{tag}</span>}
        <span class="quiet">
          {by !== undefined && (
            <>
              by <span dir="auto">{by}</span> ·{' '}
            </>
          )}
          <Time at={at} seconds={seconds} />
        </span>
      </p>
      {children}
    </li>
  );
}
