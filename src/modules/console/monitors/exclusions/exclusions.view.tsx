import { includesRole } from '../../../../domain/role.js';
import { type ExclusionDto } from '../../../exclusions/dto/exclusion.dto.js';
import { type MonitorDto } from '../../../monitors/dto/monitor.dto.js';
import { curlLine } from '../../curl.js';
import { type FormState } from '../../form-state.js';
import { AreaField } from '../../html/area-field.js';
import { renderConfirm } from '../../html/confirm.view.js';
import { WithCurl } from '../../html/copy.js';
import { Buttons, TextField } from '../../html/fields.js';
import { FORMS_SCRIPT, FORMS_STYLE } from '../../html/form-assets.js';
import { Form } from '../../html/form.js';
import { type Crumb, page } from '../../html/layout.js';
import { Empty } from '../../html/table.js';
import { ZoneField } from '../../html/zone-field.js';
import { withQuery } from '../../list-query.js';
import { TagLinks } from '../../maintenance/occurrence.js';
import { type PageFrame } from '../../page-frame.js';
import { MonitorLinks } from '../../picker/monitor-links.js';
import { type NamedMonitor } from '../../picker/monitor-search.service.js';
import { LIST_PATH } from '../list-query.js';
import { pathOf } from '../shown-monitor.js';
import { ExcludedTime, exclusionsPathOf, ExclusionTable } from './exclusion-table.js';
import { type ShownExclusions } from './shown-exclusions.service.js';

const API_PATH = '/v1/exclusions';
const EXAMPLE = { from: '2026-01-01T12:00:00Z', to: '2026-01-01T12:30:00Z', reason: 'Our own load test' };

const DONE: Readonly<Record<string, string>> = {
  excluded: 'Time excluded. The figures no longer count it.',
  deleted: 'Exclusion deleted. The figures count its time again.',
};

/** Renders the exclusions of a monitor that are in effect, newest first. */
export function renderExclusions(frame: PageFrame, monitor: MonitorDto, shown: ShownExclusions): string {
  const path = exclusionsPathOf(monitor);
  const mayWrite = includesRole(frame.who!.role, 'editor');
  return page(frame, {
    title: 'Exclusions',
    section: 'Monitors',
    trail: trailTo(monitor),
    done: DONE[frame.done],
    ...(mayWrite && { action: { label: 'Exclude time', href: `${path}/new` } }),
    children: (
      <>
        <p class="lead">
          Excluded time counts as neither up nor down in uptime, reports and status pages. Checks and incidents are
          kept.
        </p>
        {shown.exclusions.length === 0 ? (
          <Empty>No excluded time.</Empty>
        ) : (
          <ExclusionTable monitor={monitor} shown={shown} mayWrite={mayWrite} nowMs={frame.nowMs} />
        )}
        {shown.nextCursor !== null && (
          <p>
            <a href={withQuery(path, { cursor: shown.nextCursor })}>Older exclusions</a>
          </p>
        )}
        <WithCurl id="exclusions-curl" command={curlLine('GET', `${frame.origin}${listApiPath(monitor)}`)} />
      </>
    ),
  });
}

/** Returns the path under which the API lists the exclusions of a monitor. */
export function listApiPath({ id }: MonitorDto): string {
  return withQuery(API_PATH, { monitorId: id });
}

/** Renders the form that excludes time of a monitor. */
export function renderNewExclusion(frame: PageFrame, monitor: MonitorDto, form: FormState): string {
  const path = exclusionsPathOf(monitor);
  return page(frame, {
    title: 'Exclude time',
    section: 'Monitors',
    trail: [...trailTo(monitor), { label: 'Exclusions', href: path }],
    form,
    styles: [FORMS_STYLE],
    scripts: [FORMS_SCRIPT],
    children: (
      <>
        <p class="lead">
          Excluded time counts as neither up nor down in uptime, reports and status pages. It must be in the past; for
          planned work, <a href="/maintenance/new">schedule maintenance</a> instead.
        </p>
        <Form frame={frame} action={`${path}/new`} class="form wide" guards={form}>
          <div class="group">
            <div class="columns">
              <TextField form={form} pointer="/from" type="datetime-local" required />
              <TextField form={form} pointer="/to" type="datetime-local" required />
              <ZoneField form={form} pointer="/timezone" isOpen={!form.isSent} />
            </div>
            <AreaField form={form} pointer="/reason" rows={2} help="Shown with the exclusion." required />
          </div>
          <Buttons>
            <button class="button" type="submit">
              Exclude time
            </button>
            <a href={pathOf(monitor)}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl
          id="exclusion-curl"
          command={curlLine('POST', frame.origin + API_PATH, { body: { monitorIds: [monitor.id], ...EXAMPLE } })}
        />
      </>
    ),
  });
}

/** Renders the page that asks before it deletes an exclusion. `monitors`: those that the exclusion lists. */
export function renderDeleteExclusion(
  frame: PageFrame,
  monitor: MonitorDto,
  exclusion: ExclusionDto,
  monitors: readonly NamedMonitor[],
): string {
  const path = exclusionsPathOf(monitor);
  return renderConfirm(frame, {
    title: 'Delete this exclusion?',
    section: 'Monitors',
    trail: [...trailTo(monitor), { label: 'Exclusions', href: path }],
    action: `${path}/${exclusion.id}/delete`,
    button: 'Delete exclusion',
    back: path,
    curl: curlLine('DELETE', `${frame.origin}${API_PATH}/${exclusion.id}`),
    children: (
      <>
        <p>
          <ExcludedTime exclusion={exclusion} />:{' '}
          <span class="lines" dir="auto">
            {exclusion.reason}
          </span>
        </p>
        <p>The figures count this time again. The API still lists the exclusion, as deleted.</p>
        <Scope exclusion={exclusion} monitors={monitors} />
      </>
    ),
  });
}

/** What else an exclusion applies to, because it is deleted as a whole. */
function Scope({ exclusion: { tags }, monitors }: { exclusion: ExclusionDto; monitors: readonly NamedMonitor[] }) {
  if (monitors.length < 2 && tags.length === 0) return null;
  return (
    <>
      <p>It is deleted for all monitors that it applies to:</p>
      <ul>
        {monitors.length > 0 && (
          <li>
            <MonitorLinks monitors={monitors} none="" />
          </li>
        )}
        {tags.length > 0 && (
          <li class="tags">
            <span>Every monitor that was tagged</span>
            <TagLinks tags={tags} />
            <span>when it was created</span>
          </li>
        )}
      </ul>
    </>
  );
}

function trailTo(monitor: MonitorDto): Crumb[] {
  return [
    { label: 'Monitors', href: LIST_PATH },
    { label: monitor.name, href: pathOf(monitor) },
  ];
}
