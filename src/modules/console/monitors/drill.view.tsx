import { DRILL_SECONDS } from '../../incidents/dto/start-drill.dto.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, SelectField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { END_CHOICES } from './drill-form.js';
import { LIST_PATH } from './list-query.js';
import { pathOf } from './shown-monitor.js';

/** Renders the page that asks before it starts a drill. */
export function renderStartDrill(frame: PageFrame, monitor: MonitorDto, form: FormState): string {
  const path = pathOf(monitor);
  return page(frame, {
    title: 'Start a drill?',
    section: 'Monitors',
    trail: [
      { label: 'Monitors', href: LIST_PATH },
      { label: monitor.name, href: path },
    ],
    form,
    children: (
      <>
        <Form frame={frame} action={`${path}/drill`} class="form card">
          <p>
            A drill notifies people as if <strong dir="auto">{monitor.name}</strong> had just gone down: it follows the
            notification policies, step by step, until someone acknowledges it. Every message says that it is a drill.
          </p>
          <p>
            The status of the monitor, its uptime, reports and status pages do not change. The drill ends a minute after
            it is acknowledged.
          </p>
          <SelectField
            form={form}
            pointer="/endAfterSeconds"
            choices={END_CHOICES}
            help="If nobody acknowledges it. Choose a time that covers the last step of the policies."
          />
          <Buttons>
            <button class="button" type="submit">
              Start drill
            </button>
            <a href={`${path}#notified`}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl
          id="drill-curl"
          command={curlLine('POST', `${frame.origin}/v1${path}/drill`, { body: { endAfterSeconds: DRILL_SECONDS } })}
        />
      </>
    ),
  });
}
