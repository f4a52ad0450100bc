import { type ClosedSpan } from '../../../domain/span.js';
import { Time } from '../html/time.js';
import { listPath } from '../monitors/list-query.js';
import { spanWords } from './window-words.js';

/** An occurrence in the reader's time zone, with that of the window below. */
export function Occurrence({ span, timezone }: { span: ClosedSpan; timezone: string }) {
  return (
    <span>
      <Time at={new Date(span.from)} /> – <Time at={new Date(span.to)} />
      <span class="quiet window-zone">{spanWords(span, timezone)}</span>
    </span>
  );
}

/** Tags as links to the monitors that have them. */
export function TagLinks({ tags }: { tags: readonly string[] }) {
  return (
    <>
      {tags.map((tag) => (
        <a key={tag} class="tag" dir="auto" href={listPath({ tag: [tag] })}>
          {tag}
        </a>
      ))}
    </>
  );
}
