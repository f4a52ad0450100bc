import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, TextField } from '../html/fields.js';
import { FORMS_SCRIPT, FORMS_STYLE } from '../html/form-assets.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { apiOf, subscribersPath, trailOf } from './subscribers.view.js';

/** Renders the form that adds one subscriber. */
export function renderNewSubscriber(frame: PageFrame, one: StatusPageDto, form: FormState): string {
  const path = subscribersPath(one.id);
  return page(frame, {
    title: 'Add subscriber',
    section: 'Status pages',
    trail: [...trailOf(one), { label: 'Subscribers', href: path }],
    form,
    styles: [FORMS_STYLE],
    scripts: [FORMS_SCRIPT],
    narrow: true,
    children: (
      <>
        <p class="lead">
          The subscriber receives updates about all components. Every email has links to choose components or
          unsubscribe.
        </p>
        <Form frame={frame} action={`${path}/new`} class="form" guards={form}>
          <div class="group">
            <TextField form={form} pointer="/email" type="email" required />
            <TextField
              form={form}
              pointer="/consentSource"
              help="Optional, for example a contract. If given, the subscriber is active immediately; otherwise, we email a confirmation link."
            />
          </div>
          <Buttons>
            <button class="button" type="submit">
              Add subscriber
            </button>
            <a href={path}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl
          id="subscriber-curl"
          command={curlLine('POST', apiOf(frame, one.id), { body: { email: 'jo@example.com' } })}
        />
      </>
    ),
  });
}
