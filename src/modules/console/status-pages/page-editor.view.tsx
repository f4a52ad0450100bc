import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { AreaField } from '../html/area-field.js';
import { ColourField } from '../html/colour-field.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, RadioField, TextField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { ZoneField } from '../html/zone-field.js';
import { type PageFrame } from '../page-frame.js';
import { EnterButton } from '../picker/hits.js';
import { type MonitorHits, type NamedMonitor } from '../picker/monitor-search.service.js';
import { Revision } from '../revision.js';
import { ComponentsEditor } from './components-editor.view.js';
import { ACCESS_CHOICES, THEME_CHOICES } from './page-form.js';
import { STATUS_PAGES_PATH } from './pages.view.js';

export interface StatusPageEditorProps {
  form: FormState;
  /** The monitors of the components, in the same order. */
  monitors: readonly NamedMonitor[];
  hits: MonitorHits | null;
  /** The page to edit; null for a new one. */
  stored: StatusPageDto | null;
}

const EXAMPLE = { name: 'Example status', slug: 'example', monitorIds: ['key:checkout-api'], published: false };

/** Renders the form that creates or edits a status page. */
export function renderStatusPageEditor(frame: PageFrame, props: StatusPageEditorProps): string {
  const { form, stored } = props;
  const path = stored ? `${STATUS_PAGES_PATH}/${stored.id}` : STATUS_PAGES_PATH;
  const action = stored ? `${path}/edit` : `${path}/new`;
  const api = `${frame.origin}/v1/status-pages`;
  const curl = stored
    ? curlLine('PATCH', `${api}/${stored.id}`, { body: { description: 'All that our customers use.' } })
    : curlLine('POST', api, { body: EXAMPLE });
  return page(frame, {
    title: stored ? `Edit ${stored.name}` : 'Create status page',
    section: 'Status pages',
    form,
    children: (
      <>
        <Form frame={frame} action={action} class="form wide">
          <EnterButton />
          {stored && <Revision form={form} revision={stored.revision} stored={path} />}
          <TextField form={form} pointer="/name" required />
          <TextField
            form={form}
            pointer="/slug"
            help={`${frame.origin}/status/… Lowercase letters, digits and hyphens.`}
            required
          />
          <AreaField form={form} pointer="/description" help="Shown below the name." />
          <ComponentsEditor {...props} action={action} />
          <Looks form={form} />
          <Access form={form} hasPassword={stored?.accessType === 'password'} />
          <Save stored={stored} path={path} />
        </Form>
        <WithCurl id="page-curl" command={curl} />
      </>
    ),
  });
}

function Looks({ form }: { form: FormState }) {
  return (
    <fieldset class="group">
      <legend>Appearance</legend>
      <RadioField form={form} pointer="/theme" choices={THEME_CHOICES} />
      <ColourField
        form={form}
        pointer="/accentColor"
        help="Optional, for example #0c8599: for a band above the page, links and focus. Links use a readable shade of it. State colours do not change."
      />
      <div class="columns">
        <ZoneField form={form} pointer="/timezone" help="For the times on the page." />
        <TextField form={form} pointer="/historyDays" type="number" help="1 to 365." />
      </div>
      <TextField
        form={form}
        pointer="/logoUrl"
        type="url"
        help="Optional. The URL of an image, which visitors’ browsers load from there."
      />
      <TextField form={form} pointer="/homepageUrl" type="url" help="Optional. The name of the page links to it." />
    </fieldset>
  );
}

function Access({ form, hasPassword }: { form: FormState; hasPassword: boolean }) {
  const kept = hasPassword ? ' Leave empty to keep the current one.' : '';
  return (
    <fieldset class="group">
      <legend>Access</legend>
      <RadioField form={form} pointer="/accessType" choices={ACCESS_CHOICES} />
      <TextField
        form={form}
        pointer="/password"
        help={`8 to 200 characters. Shown as you type, because you pass it on to your readers.${kept}`}
      />
    </fieldset>
  );
}

function Save({ stored, path }: { stored: StatusPageDto | null; path: string }) {
  return (
    <Buttons>
      <button class="button" type="submit" name="do" value="save">
        {stored ? 'Save' : 'Save draft'}
      </button>
      {!stored && (
        <button class="button plain" type="submit" name="do" value="publish">
          Save and publish
        </button>
      )}
      <a href={path}>Cancel</a>
    </Buttons>
  );
}
