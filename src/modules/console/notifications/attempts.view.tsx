import { type NotificationAttemptDto } from '../../notifications/dto/notification.dto.js';
import { Time } from '../html/time.js';

/** A failing channel is tried once a minute for a day. The API returns all attempts. */
const MAX_SHOWN = 10;

/** The attempts to send a notification: the outcome of the latest, and a list of them, newest first. */
export function Attempts({ attempts }: { attempts: readonly NotificationAttemptDto[] }) {
  const latest = attempts.at(-1);
  if (!latest) return <>None</>;
  const shown = attempts.slice(-MAX_SHOWN).reverse();
  return (
    <>
      {latest.error !== null && (
        <span class="log-error" dir="auto">
          {latest.error}
        </span>
      )}
      <details>
        <summary>{attempts.length === 1 ? '1 attempt' : `${attempts.length.toLocaleString('en')} attempts`}</summary>
        <ol class="attempts">
          {shown.map((attempt) => (
            <li key={attempt.at}>
              <Time at={attempt.at} seconds />: <span dir="auto">{outcomeOf(attempt)}</span>
            </li>
          ))}
        </ol>
        {attempts.length > shown.length && <p class="quiet">The API returns the earlier ones.</p>}
      </details>
    </>
  );
}

function outcomeOf({ durationMs, statusCode, error }: NotificationAttemptDto): string {
  if (durationMs === null) return 'outcome unknown';
  const words = error ?? `sent in ${durationMs.toLocaleString('en')} ms`;
  return statusCode === null ? words : `${words} (status ${statusCode})`;
}
