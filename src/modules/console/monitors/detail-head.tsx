import { type ComponentChildren } from 'preact';
import { DAY_MS } from '../../../domain/durations.js';
import { counted } from '../../../html/counted.js';
import { statusMark } from '../../../html/status-words.js';
import { awaitsReports } from '../../../probes/index.js';
import { Form } from '../html/form.js';
import { Time } from '../html/time.js';
import { Icon } from '../html/icon.js';
import { MenuLink, MoreMenu } from '../html/menu.js';
import { type PageFrame } from '../page-frame.js';
import { MonitorLinks } from '../picker/monitor-links.js';
import { type NamedMonitor } from '../picker/monitor-search.service.js';
import { type MonitorCertificateDto, type MonitorRegistrationDto } from '../../monitors/dto/monitor.dto.js';
import { listPath } from './list-query.js';
import { type LiveMonitor, LivePart } from './live-parts.js';
import { LiveStatus } from './live-status.js';
import { pathOf, targetOf, typeWord } from './shown-monitor.js';

/** What expires within this time is shown as a warning. */
const WARN_DAYS = 14;

interface DetailHeadProps {
  frame: PageFrame;
  live: LiveMonitor;
}

/** The definition of a monitor in brief, and its state, whose colour the script keeps up to date. */
export function DetailHead({ live, parents }: Pick<DetailHeadProps, 'live'> & { parents: readonly NamedMonitor[] }) {
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
      {parents.length > 0 && (
        <p class="lead">
          Depends on <MonitorLinks monitors={parents} none="" />
        </p>
      )}
      {monitor.expiresAt !== null && (
        <p class="lead">
          Deleted automatically on <Time at={monitor.expiresAt} />, with its checks and uptime history
        </p>
      )}
      {monitor.certificate !== null && <CertificateValidity {...monitor.certificate} nowMs={live.nowMs} />}
      {monitor.registration !== null && <DomainValidity {...monitor.registration} nowMs={live.nowMs} />}
      <div class={`standing ${statusMark(monitor.status)}`} data-monitor={monitor.id} data-tab data-tinted="standing">
        <p>
          <LivePart part="state" {...live} />
        </p>
        <p>
          <LivePart part="sentence" {...live} />
        </p>
        <p>
          {awaitsReports(monitor.type) ? 'Last report' : 'Last response'}: <LivePart part="last" {...live} />
        </p>
      </div>
    </>
  );
}

/** Until when the certificate of the target is valid. */
function CertificateValidity({ validUntil, issuer, nowMs }: MonitorCertificateDto & Pick<LiveMonitor, 'nowMs'>) {
  return (
    <Expiry at={validUntil} words={['Certificate valid until', 'Certificate expired on']} nowMs={nowMs}>
      {issuer !== null && (
        <>
          , issued by <span dir="auto">{issuer}</span>
        </>
      )}
    </Expiry>
  );
}

/** Until when the domain is registered, and with whom. */
function DomainValidity({ expiresAt, registrar, nowMs }: MonitorRegistrationDto & Pick<LiveMonitor, 'nowMs'>) {
  const name = registrar === null ? null : <span dir="auto">{registrar}</span>;
  if (expiresAt === null) return name && <p class="lead">Domain registered with {name}</p>;
  return (
    <Expiry at={expiresAt} words={['Domain registered until', 'Domain registration expired on']} nowMs={nowMs}>
      {name && <>, with {name}</>}
    </Expiry>
  );
}

interface ExpiryProps {
  at: string;
  /** Before the expiry and after it. */
  words: [before: string, after: string];
  nowMs: number;
  children: ComponentChildren;
}

/** When something expires; a warning if that is soon or over. */
function Expiry({ at, words: [before, after], nowMs, children }: ExpiryProps) {
  const leftMs = Date.parse(at) - nowMs;
  const isSoon = leftMs < WARN_DAYS * DAY_MS;
  return (
    <p class={isSoon ? 'warning' : 'lead'}>
      {leftMs < 0 ? after : before} <Time at={at} />
      {isSoon && leftMs >= 0 && ` (${daysWords(Math.floor(leftMs / DAY_MS))})`}
      {children}
    </p>
  );
}

function daysWords(days: number): string {
  return days === 0 ? 'less than a day left' : `${counted(days, 'day')} left`;
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
          {!awaitsReports(monitor.type) && (
            <Form frame={frame} action={`${path}/checks`} class="inline">
              <button class="button plain" type="submit">
                <Icon name="refresh-cw" />
                Check now
              </button>
            </Form>
          )}
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
