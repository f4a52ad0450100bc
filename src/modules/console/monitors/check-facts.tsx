import { type Assertion } from '../../../domain/assertions.js';
import { type Mark } from '../../../html/marks.js';
import { type CheckDto, type RunDto, type TrialCheckDto } from '../../checks/dto/check.dto.js';
import { type Phase, PHASES } from '../../checks/response-times.types.js';
import { Time } from '../html/time.js';
import { State } from '../html/state.js';
import { assertionWords } from '../../../domain/assertion-words.js';
import { msText } from './ms-text.js';

export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  dnsMs: 'DNS lookup',
  connectMs: 'Connect',
  tlsMs: 'TLS handshake',
  firstByteMs: 'First byte',
  transferMs: 'Transfer',
};

const RESULT_WORDS: Readonly<Record<CheckDto['status'], string>> = {
  up: 'Passed',
  degraded: 'Passed, slow',
  down: 'Failed',
  unknown: 'Unknown',
};

/** The result of a check as a mark and a word. */
export function CheckResult({ status }: { status: CheckDto['status'] }) {
  return <State mark={status satisfies Mark} word={RESULT_WORDS[status]} />;
}

interface CheckFactsProps {
  check: CheckDto | TrialCheckDto;
  /** The assertions of the checked definition; null if the monitor has changed since. */
  assertions: readonly Assertion[] | null;
}

/** All details of a check. */
export function CheckFacts({ check, assertions }: CheckFactsProps) {
  const { timings, error, failedAssertions } = check;
  return (
    <dl class="facts">
      <Fact name="Result">
        <CheckResult status={check.status} />
      </Fact>
      {error && (
        <Fact name="Error">
          <span dir="auto">{error.message}</span> <code class="quiet">{error.code}</code>
        </Fact>
      )}
      {failedAssertions.map(({ index, actual }) => (
        <Fact key={index} name={`Assertion ${index + 1}`}>
          <span dir="auto">{assertions?.[index] ? assertionWords(assertions[index]) : 'failed'}</span>
          {actual !== null && (
            <>
              {' '}
              – actual value <code>{JSON.stringify(actual)}</code>
            </>
          )}
        </Fact>
      ))}
      {check.statusCode !== null && <Fact name="Status code">{check.statusCode}</Fact>}
      {'run' in check && check.run !== null ? (
        <RunFacts run={check.run} />
      ) : (
        <Fact name="Response time">{check.responseTimeMs === null ? 'No response' : msText(check.responseTimeMs)}</Fact>
      )}
      {PHASES.flatMap((phase) => {
        const ms = timings[phase];
        return ms === null
          ? []
          : [
              <Fact key={phase} name={PHASE_WORDS[phase]}>
                {msText(ms)}
              </Fact>,
            ];
      })}
      {check.remoteAddress !== null && <Fact name="IP address">{check.remoteAddress}</Fact>}
      <Fact name="Started">
        <Time at={check.checkedAt} seconds />
      </Fact>
      <Fact name="Location">{check.location}</Fact>
    </dl>
  );
}

/** What a job reported. */
function RunFacts({ run: { durationMs, exitStatus, runId, log } }: { run: RunDto }) {
  return (
    <>
      <Fact name="Duration">{durationMs === null ? 'The job did not report its start' : msText(durationMs)}</Fact>
      {exitStatus !== null && <Fact name="Exit status">{exitStatus}</Fact>}
      {runId !== null && (
        <Fact name="Run">
          <code>{runId}</code>
        </Fact>
      )}
      {log !== null && (
        <Fact name="Log">
          <pre dir="auto">{log}</pre>
        </Fact>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
