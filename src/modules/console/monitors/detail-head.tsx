import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { ActionButton } from '../html/form.js';
import { type PageFrame } from '../page-frame.js';
import { listPath } from './list-query.js';
import { type LiveMonitor, LivePart } from './live-parts.js';
import { LiveStatus } from './live-status.js';
import { pathOf, targetOf, typeWord } from './shown-monitor.js';

interface DetailHeadProps {
  frame: PageFrame;
  live: LiveMonitor;
  mayWrite: boolean;
}

/** The definition of a monitor in brief, its state, and the actions on it. */
export function DetailHead({ frame, live, mayWrite }: DetailHeadProps) {
  const { monitor } = live;
  const { tags } = monitor;
  return (
    <>
      <p class="lead">
        {typeWord(monitor.type)} · <span dir="auto">{targetOf(monitor)}</span>
        {monitor.key !== null && (
          <>
            {' '}
            · key <code>{monitor.key}</code>
          </>
        )}
        {tags.map((tag) => (
          <>
            {' '}
            <a key={tag} class="tag" dir="auto" href={listPath({ tag: [tag] })}>
              {tag}
            </a>
          </>
        ))}
      </p>
      {monitor.description !== null && (
        <p class="lead" dir="auto">
          {monitor.description}
        </p>
      )}
      <div class="standing" data-monitor={monitor.id} data-tab>
        <p>
          <LivePart part="state" {...live} />
        </p>
        <p>
          <LivePart part="sentence" {...live} />
        </p>
        <p>
          Last response: <LivePart part="last" {...live} />
        </p>
        <LiveStatus frame={frame} ids={[monitor.id]} isFirstPage={false} also="evidence" />
      </div>
      {mayWrite && <Actions frame={frame} live={live} />}
    </>
  );
}

function Actions({ frame, live: { monitor } }: { frame: PageFrame; live: LiveMonitor }) {
  const path = pathOf(monitor);
  const api = `${frame.origin}/v1${path}`;
  const isPaused = monitor.status === 'paused';
  return (
    <>
      <div class="buttons">
        <ActionButton frame={frame} action={`${path}/checks`} label="Check now" />
        {isPaused && <ActionButton frame={frame} action={`${path}/resume`} label="Resume" />}
        <a class="button plain" href={`${path}/pause`}>
          {isPaused ? 'Change pause' : 'Pause'}
        </a>
        <a class="button plain" href={`${path}/edit`}>
          Edit
        </a>
        <a class="button plain" href={`${path}/delete`}>
          Delete
        </a>
      </div>
      <div class="buttons">
        <WithCurl id="check-now-curl" of="Check now" command={curlLine('POST', `${api}/checks?wait=true`)} />
        {isPaused && <WithCurl id="resume-curl" of="Resume" command={curlLine('POST', `${api}/resume`)} />}
      </div>
    </>
  );
}
