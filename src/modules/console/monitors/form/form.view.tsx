import { type Assertion } from '../../../../domain/assertions.js';
import { PROBES, probeOf, unavailability } from '../../../../probes/index.js';
import { type JsonObject } from '../../../../http/body/json.js';
import { type TrialCheckDto } from '../../../checks/dto/check.dto.js';
import { curlLine } from '../../curl.js';
import { type FormState } from '../../form-state.js';
import { WithCurl } from '../../html/copy.js';
import { Buttons } from '../../html/fields.js';
import { Form } from '../../html/form.js';
import { page } from '../../html/layout.js';
import { type PageFrame } from '../../page-frame.js';
import { Revision } from '../../revision.js';
import { MONITOR_STYLES } from '../assets.js';
import { CheckFacts } from '../check-facts.js';
import { type MonitorDto } from '../../../monitors/dto/monitor.dto.js';
import { pathOf, typeWord } from '../shown-monitor.js';
import { MAX_ROWS } from './assertion-rows.js';
import { Control, Controls } from './controls.js';
import { AssertionFields, AuthFields, Group } from './groups.js';
import { ABOUT, formOf, INTERVAL, NAME, TAGS, THRESHOLDS, withoutSecrets } from './monitor-form.js';

/** The result of "Test now", and the body that was tested. */
export interface Trial {
  check: TrialCheckDto;
  body: JsonObject;
}

interface FormProps {
  form: FormState;
  trial?: Trial;
  /** The body that was sent; null before any was. */
  body?: JsonObject | null;
}

/** Renders the form that creates a monitor of a type. */
export function renderNewMonitor(frame: PageFrame, type: string, { form, trial, body }: FormProps): string {
  const probe = probeOf(type);
  const unavailable = probe ? unavailability(probe) : null;
  const { key: _, ...example } = probe?.example ?? { key: '' };
  const shown = body ? withoutSecrets(body) : { type, ...example };
  return page(frame, {
    title: `New monitor: ${typeWord(type)}`,
    section: 'Monitors',
    form,
    styles: MONITOR_STYLES,
    children: (
      <>
        <Types current={type} />
        <p class="lead">{probe?.summary}</p>
        {unavailable !== null && <p class="warning">{unavailable}</p>}
        {trial && <TrialResult trial={trial} />}
        <Form frame={frame} action="/monitors" class="form wide">
          <input type="hidden" name="type" value={type} />
          <Fields form={form} type={type} isStored={false} />
          <Buttons>
            <button class="button" type="submit">
              Create monitor
            </button>
            <button class="button plain" type="submit" formaction="/monitors/test">
              Test now
            </button>
            <a href="/">Cancel</a>
          </Buttons>
        </Form>
        <WithCurl
          id="new-monitor-curl"
          command={curlLine('POST', `${frame.origin}/v1/monitors`, { body: withoutNulls(shown) })}
        />
      </>
    ),
  });
}

/** Renders the form that edits a monitor. */
export function renderEditMonitor(frame: PageFrame, monitor: MonitorDto, { form, trial, body }: FormProps): string {
  const path = pathOf(monitor);
  const { type } = monitor;
  return page(frame, {
    title: `Edit ${monitor.name}`,
    section: 'Monitors',
    form,
    styles: MONITOR_STYLES,
    children: (
      <>
        <p class="lead">
          {typeWord(type)}. {probeOf(type)?.summary} Settings that are not shown here do not change.
        </p>
        {trial && <TrialResult trial={trial} />}
        <Form frame={frame} action={`${path}/edit`} class="form wide">
          <Revision form={form} revision={monitor.revision} stored={path} />
          <Fields form={form} type={type} isStored />
          <Buttons>
            <button class="button" type="submit">
              Save
            </button>
            <button class="button plain" type="submit" formaction={`${path}/test`}>
              Test now
            </button>
            <a href={path}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl
          id="edit-monitor-curl"
          command={curlLine('PATCH', `${frame.origin}/v1${path}`, {
            body: body ? withoutSecrets(body) : { intervalSeconds: monitor.intervalSeconds },
          })}
        />
      </>
    ),
  });
}

function Types({ current }: { current: string }) {
  return (
    <nav aria-label="Type" class="sub">
      <ul class="links">
        {PROBES.map(({ type, label }) => (
          <li key={type}>
            <a href={`/monitors/new?type=${type}`} data-with-name aria-current={type === current ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Fields({ form, type, isStored }: { form: FormState; type: string; isStored: boolean }) {
  const { essential, request, takesAuth, judged, sources } = formOf(type);
  const pointersOf = (fields: readonly { pointer: string }[]) => fields.map(({ pointer }) => pointer);
  const rows = ['/assertions', ...Array.from({ length: MAX_ROWS }, (_, row) => `/assertions/${row}`)];
  return (
    <>
      <Control form={form} field={NAME} />
      <Controls form={form} fields={essential} />
      <div class="columns">
        <Controls form={form} fields={[INTERVAL, TAGS]} />
      </div>
      {request.length > 0 && (
        <Group form={form} title="Request" pointers={pointersOf(request)}>
          <Controls form={form} fields={request} />
        </Group>
      )}
      {takesAuth && (
        <Group
          form={form}
          title="Authentication"
          pointers={['/auth', '/auth/type', '/auth/username', '/auth/password', '/auth/token']}
        >
          <AuthFields form={form} isStored={isStored} />
        </Group>
      )}
      <Group form={form} title="Success criteria" pointers={[...pointersOf([...judged, ...THRESHOLDS]), ...rows]}>
        <Controls form={form} fields={judged} />
        {sources.length > 0 && <AssertionFields form={form} sources={sources} />}
        <div class="columns">
          <Controls form={form} fields={THRESHOLDS} />
        </div>
      </Group>
      <Group form={form} title="Key and description" pointers={pointersOf(ABOUT)}>
        <Controls form={form} fields={ABOUT} />
      </Group>
    </>
  );
}

function TrialResult({ trial: { check, body } }: { trial: Trial }) {
  return (
    <section class={`trial ${check.status}`} aria-labelledby="trial" role="status">
      <h2 id="trial">Test result</h2>
      <CheckFacts check={check} assertions={body.assertions as unknown as Assertion[] | null} />
      <p class="quiet">Nothing was saved.</p>
    </section>
  );
}

/**
 * Returns the body without null members and empty lists. This keeps the command short, and leaving them out has the
 * same effect.
 */
function withoutNulls(body: JsonObject | object): object {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );
}
