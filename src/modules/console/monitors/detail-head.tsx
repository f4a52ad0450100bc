import { statusMark } from '../../../html/status-words.js';
import { Form } from '../html/form.js';
import { Icon } from '../html/icon.js';
import { MenuLink, MoreMenu } from '../html/menu.js';
import { type PageFrame } from '../page-frame.js';
import { listPath } from './list-query.js';
import { type LiveMonitor, LivePart } from './live-parts.js';
import { LiveStatus } from './live-status.js';
import { pathOf, targetOf, typeWord } from './shown-monitor.js';

interface DetailHeadProps {
  frame: PageFrame;
  live: LiveMonitor;
}

/** The definition of a monitor in brief, and its state, whose colour the script keeps up to date. */
export function DetailHead({ live }: Pick<DetailHeadProps, 'live'>) {
  const { monitor } = live;
  return (
    <>
      <p class="lead">
        {typeWord(monitor.type)} · <span dir="auto">{targetOf(monitor)}</span>
        {monitor.key !== null && (
          <>
            {' '}
            · key <code>{monitor.key}</code>
          </>
        )}{' '}
        <span class="tags">
          {monitor.tags.map((tag) => (
            <a key={tag} class="tag" dir="auto" href={listPath({ tag: [tag] })}>
              {tag}
            </a>
          ))}
        </span>
      </p>
      {monitor.description !== null && (
        <p class="lead" dir="auto">
          {monitor.description}
        </p>
      )}
      {monitor.runbookUrl !== null && (
        <p class="lead">
          <a href={monitor.runbookUrl} rel="noreferrer">
            Runbook
          </a>
        </p>
      )}
      <div class={`standing ${statusMark(monitor.status)}`} data-monitor={monitor.id} data-tab data-tinted="standing">
        <p>
          <LivePart part="state" {...live} />
        </p>
        <p>
          <LivePart part="sentence" {...live} />
        </p>
        <p>
          Last response: <LivePart part="last" {...live} />
        </p>
      </div>
    </>
  );
}

/** The actions on a monitor, beside its title. */
export function DetailTools({ frame, live: { monitor }, mayWrite }: DetailHeadProps & { mayWrite: boolean }) {
  const path = pathOf(monitor);
  const isPaused = monitor.status === 'paused';
  return (
    <>
      <LiveStatus frame={frame} ids={[monitor.id]} isFirstPage={false} also="evidence" />
      {mayWrite && (
        <>
          <Form frame={frame} action={`${path}/checks`} class="inline">
            <button class="button plain" type="submit">
              <Icon name="refresh-cw" />
              Check now
            </button>
          </Form>
          {isPaused ? (
            <Form frame={frame} action={`${path}/resume`} class="inline">
              <button class="button plain" type="submit">
                <Icon name="play" />
                Resume
              </button>
            </Form>
          ) : (
            <a class="button plain" href={`${path}/pause`}>
              <Icon name="pause" />
              Pause
            </a>
          )}
          <a class="button plain" href={`${path}/edit`}>
            <Icon name="pencil" />
            Edit
          </a>
          <MoreMenu>
            {isPaused && <MenuLink href={`${path}/pause`} icon="pause" label="Change pause" />}
            <MenuLink href={`/monitors/new?from=${monitor.id}`} icon="copy" label="Duplicate" />
            <hr />
            <MenuLink href={`${path}/delete`} icon="trash" label="Delete" isDanger />
          </MoreMenu>
        </>
      )}
    </>
  );
}
