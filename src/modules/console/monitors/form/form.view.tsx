import { type Assertion } from '../../../../domain/assertions.js';
import { awaitsReports, PROBES, probeOf, unavailability } from '../../../../probes/index.js';
import { type ProbeDefinition } from '../../../../probes/probe.js';
import { type JsonObject } from '../../../../http/body/json.js';
import { type TrialCheckDto } from '../../../checks/dto/check.dto.js';
import { curlLine } from '../../curl.js';
import { type FormState } from '../../form-state.js';
import { WithCurl } from '../../html/copy.js';
import { Buttons } from '../../html/fields.js';
import { Form } from '../../html/form.js';
import { page } from '../../html/layout.js';
import { type PageFrame } from '../../page-frame.js';
import { EnterButton } from '../../picker/hits.js';
import { type MonitorPicks } from '../../picker/monitor-search.service.js';
import { Revision } from '../../revision.js';
import { FORMS_SCRIPT, FORMS_STYLE } from '../../html/form-assets.js';
import { MONITOR_STYLES } from '../assets.js';
import { CheckFacts } from '../check-facts.js';
import { type MonitorDto } from '../../../monitors/dto/monitor.dto.js';
import { pathOf, typeWord } from '../shown-monitor.js';
import { CARRIED, withoutSecrets } from './monitor-form.js';
import { Sections } from './sections.js';

const STYLES = [...MONITOR_STYLES, FORMS_STYLE];
const TRAIL = [{ label: 'Monitors', href: '/monitors' }];

/** The result of "Test now", and the body that was tested. */
export interface Trial {
  check: TrialCheckDto;
  body: JsonObject;
}

interface FormProps {
  form: FormState;
  /** The shortest interval that the operator allows. */
  minIntervalSeconds: number;
  /** The keys of all locations. */
  places: readonly string[];
  /** The monitors that it depends on. */
  parents: MonitorPicks;
  trial?: Trial;
  /** The body that was sent; null before any was. */
  body?: JsonObject | null;
}

interface NewFormProps extends FormProps {
  /** The id of the monitor that the form is a copy of; empty if it is not a copy. */
  from: string;
}

/** Renders the form that creates a monitor of a type. */
export function renderNewMonitor(frame: PageFrame, type: string, props: NewFormProps): string {
  const { form, minIntervalSeconds, places, parents, trial, body, from } = props;
  const probe = probeOf(type);
  const unavailable = probe ? unavailability(probe) : null;
  const { key: _, ...example } = probe?.example ?? { key: '' };
  const shown = body ? withoutSecrets(type, body) : { type, ...example };
  return page(frame, {
    title: from === '' ? 'New monitor' : `Duplicate monitor: ${typeWord(type)}`,
    section: 'Monitors',
    trail: TRAIL,
    form,
    styles: STYLES,
    scripts: [FORMS_SCRIPT],
    children: (
      <>
        {from === '' && <Types current={type} />}
        <p class="lead">
          {from === ''
            ? probe?.summary
            : 'The copy starts with the settings of the original, except its key. Secrets are not copied.'}
        </p>
        {unavailable !== null && <p class="warning">{unavailable}</p>}
        {trial && <TrialResult trial={trial} form={form} />}
        <Form frame={frame} action="/monitors" class="form wide" guards={form}>
          <EnterButton />
          <input type="hidden" name="type" value={type} />
          {from !== '' && <input type="hidden" name="from" value={from} />}
          <Sections
            form={form}
            type={type}
            minIntervalSeconds={minIntervalSeconds}
            places={places}
            parents={parents}
            secrets={from === '' ? 'nothing' : 'copied'}
            action="/monitors"
          />
          <Buttons>
            <button class="button" type="submit" name="do" value="save">
              Create monitor
            </button>
            {!awaitsReports(type) && (
              <button class="button plain" type="submit" formaction="/monitors/test" formnovalidate>
                Test now
              </button>
            )}
            <a href={from === '' ? '/monitors' : `/monitors/${from}`}>Cancel</a>
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
export function renderEditMonitor(frame: PageFrame, monitor: MonitorDto, props: FormProps): string {
  const { form, minIntervalSeconds, places, parents, trial, body } = props;
  const path = pathOf(monitor);
  const { type } = monitor;
  return page(frame, {
    title: `Edit ${monitor.name}`,
    section: 'Monitors',
    trail: [...TRAIL, { label: monitor.name, href: path }],
    form,
    styles: STYLES,
    scripts: [FORMS_SCRIPT],
    children: (
      <>
        <p class="lead">
          {typeWord(type)}. {probeOf(type)?.summary} Settings that are not shown here do not change.
        </p>
        {trial && <TrialResult trial={trial} form={form} />}
        <Form frame={frame} action={`${path}/edit`} class="form wide" guards={form}>
          <EnterButton />
          <Revision form={form} revision={monitor.revision} stored={path} />
          <Sections
            form={form}
            type={type}
            minIntervalSeconds={minIntervalSeconds}
            places={places}
            parents={parents}
            secrets="stored"
            action={`${path}/edit`}
          />
          <Buttons>
            <button class="button" type="submit" name="do" value="save">
              Save
            </button>
            {!awaitsReports(type) && (
              <button class="button plain" type="submit" formaction={`${path}/test`}>
                Test now
              </button>
            )}
            <a href={path}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl
          id="edit-monitor-curl"
          command={curlLine('PATCH', `${frame.origin}/v1${path}`, {
            body: body
              ? withoutSecrets(type, body)
              : monitor.intervalSeconds === null
                ? { failureThreshold: monitor.failureThreshold }
                : { intervalSeconds: monitor.intervalSeconds },
          })}
        />
      </>
    ),
  });
}

/** The number of types that are offered first. */
const USUAL_TYPES = 6;

/** The choice of the type. The script takes what has been typed into the fields of all types along. */
function Types({ current }: { current: string }) {
  const [usual, others] = [PROBES.slice(0, USUAL_TYPES), PROBES.slice(USUAL_TYPES)];
  return (
    <nav aria-label="Type">
      <TypeList probes={usual} current={current} />
      <details open={others.some(({ type }) => type === current)}>
        <summary>{others.length} more types</summary>
        <TypeList probes={others} current={current} />
      </details>
    </nav>
  );
}

function TypeList({ probes, current }: { probes: readonly ProbeDefinition[]; current: string }) {
  return (
    <ul class="types">
      {probes.map(({ type, label, form: { gist } }) => (
        <li key={type}>
          <a
            href={`/monitors/new?type=${type}`}
            data-carry={CARRIED.join(' ')}
            aria-current={type === current ? 'page' : undefined}
          >
            <strong>{label}</strong>
            <span>{gist}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function TrialResult({ trial: { check, body }, form }: { trial: Trial; form: FormState }) {
  return (
    <section class={`trial ${check.status}`} aria-labelledby="trial" role="status">
      <h2 id="trial">Test result</h2>
      <CheckFacts check={check} assertions={body.assertions as unknown as Assertion[] | null} />
      <p class="quiet">Nothing was saved.</p>
      {form.secretsToEnter.map(({ detail, anchor }) => (
        <p key={anchor} class="error">
          <a href={`#${anchor}`}>{detail}</a>
        </p>
      ))}
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
