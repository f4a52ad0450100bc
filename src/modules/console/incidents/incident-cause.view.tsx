import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { type PageFrame } from '../page-frame.js';

/** The cause of a detected incident, with links to the evidence. */
export function Cause({ frame, incident: { cause, monitorIds } }: { frame: PageFrame; incident: IncidentDto }) {
  if (cause === null) return null;
  const { errorCode, message, firstFailedCheckId, failedAssertions } = cause;
  const [monitorId] = monitorIds;
  return (
    <section aria-labelledby="cause">
      <h2 id="cause">Cause</h2>
      <p class="prose">
        <span dir="auto">{message ?? 'The results of these checks are no longer stored.'}</span>
        {errorCode !== null && (
          <>
            {' '}
            <code class="quiet">{errorCode}</code>
          </>
        )}
      </p>
      {failedAssertions.length > 0 && (
        <ul>
          {failedAssertions.map(({ index, actual }) => (
            <li key={index}>
              Assertion {index + 1} failed. Actual value: <code>{JSON.stringify(actual)}</code>
            </li>
          ))}
        </ul>
      )}
      {monitorId !== undefined && (
        <p>
          <a href={`/monitors/${monitorId}`}>View the checks of the monitor</a>
        </p>
      )}
      {monitorId !== undefined && firstFailedCheckId !== null && (
        <WithCurl
          id="cause-curl"
          command={curlLine('GET', `${frame.origin}/v1/monitors/${monitorId}/checks/${firstFailedCheckId}`)}
        />
      )}
    </section>
  );
}
