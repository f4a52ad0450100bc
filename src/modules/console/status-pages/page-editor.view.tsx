import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { AreaField } from '../html/area-field.js';
import { CheckField } from '../html/check-field.js';
import { ColourField } from '../html/colour-field.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, RadioField, SelectField, TextField } from '../html/fields.js';
import { FORMS_SCRIPT, FORMS_STYLE } from '../html/form-assets.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { ZoneField } from '../html/zone-field.js';
import { DurationField } from '../html/duration-field.js';
import { type PageFrame } from '../page-frame.js';
import { EnterButton } from '../picker/hits.js';
import { Revision } from '../revision.js';
import { ComponentsEditor, type ComponentsEditorProps } from './components-editor.view.js';
import { ACCESS_CHOICES, ANNOUNCE_AFTER, THEME_CHOICES } from './page-form.js';
import { PAGE_STYLES, STATUS_PAGES_PATH } from './pages.view.js';
import { PreviewPane } from './preview-pane.js';

export interface StatusPageEditorProps extends Omit<ComponentsEditorProps, 'action'> {
  /** The page to edit; null for a new one. */
  stored: StatusPageDto | null;
  /** Whether the form may differ from what is stored. */
  isChanged: boolean;
}

const EXAMPLE = { name: 'Example status', slug: 'example', monitorIds: ['key:checkout-api'], published: false };

/** Renders the form that creates or edits a status page. */
export function renderStatusPageEditor(frame: PageFrame, props: StatusPageEditorProps): string {
  const { form, stored, isChanged } = props;
  const path = stored ? `${STATUS_PAGES_PATH}/${stored.id}` : STATUS_PAGES_PATH;
  const action = stored ? `${path}/edit` : `${path}/new`;
  const api = `${frame.origin}/v1/status-pages`;
  const curl = stored
    ? curlLine('PATCH', `${api}/${stored.id}`, { body: { description: 'The services that our customers use.' } })
    : curlLine('POST', api, { body: EXAMPLE });
  const sections = { label: 'Status pages', href: STATUS_PAGES_PATH };
  return page(frame, {
    title: stored ? `Edit ${stored.name}` : 'Create status page',
    section: 'Status pages',
    trail: stored ? [sections, { label: stored.name, href: path }] : [sections],
    styles: [FORMS_STYLE, ...PAGE_STYLES],
    scripts: [FORMS_SCRIPT, 'sortable.js', 'preview.js'],
    form,
    children: (
      <>
        <Form frame={frame} action={action} class="page-editor" guards={form}>
          <EnterButton />
          <div class="page-cards">
            {stored && <Revision form={form} revision={stored.revision} stored={path} />}
            <Basics form={form} origin={frame.origin} isNew={stored === null} />
            <ComponentsEditor {...props} action={action} />
            <Appearance form={form} />
            <Access form={form} hasPassword={stored?.accessType === 'password'} />
            <Subscribers form={form} />
            <Save isPublished={stored?.published ?? false} path={path} />
          </div>
          <PreviewPane stored={stored && !isChanged ? `${path}/preview` : null} />
        </Form>
        <WithCurl id="page-curl" command={curl} />
      </>
    ),
  });
}

function Basics({ form, origin, isNew }: { form: FormState; origin: string; isNew: boolean }) {
  return (
    <fieldset class="group">
      <legend>Basics</legend>
      <div class="columns">
        <TextField form={form} pointer="/name" help="The heading of the page." required />
        <TextField
          form={form}
          pointer="/slug"
          help={`${origin}/status/… Lowercase letters, digits and hyphens.${isNew ? ' Derived from the name if empty.' : ''}`}
          required={!isNew}
        />
      </div>
      <TextField
        form={form}
        pointer="/customDomain"
        help="Optional, for example status.example.com. Its DNS must point to this service."
      />
      <AreaField form={form} pointer="/description" rows={2} help="Optional. Shown below the name." />
      <TextField form={form} pointer="/homepageUrl" type="url" help="Optional. The name of the page links to it." />
    </fieldset>
  );
}

function Appearance({ form }: { form: FormState }) {
  return (
    <fieldset class="group">
      <legend>Appearance</legend>
      <div class="columns">
        <SelectField form={form} pointer="/theme" choices={THEME_CHOICES} help="System follows the visitor’s device." />
        <ColourField
          form={form}
          pointer="/accentColor"
          help="Optional, such as #0c8599. Used for links and the band at the top of the page, adjusted for contrast."
        />
      </div>
      <TextField
        form={form}
        pointer="/logoUrl"
        type="url"
        help="Optional. URL of an image, loaded directly by visitors’ browsers."
      />
      <div class="columns">
        <ZoneField form={form} pointer="/timezone" help="For the times on the page." />
        <TextField form={form} pointer="/historyDays" type="number" help="1 to 365." />
      </div>
      <CheckField
        form={form}
        pointer="/showLocations"
        help="Lists where each component is up or down, if its monitor is checked from several locations. Visitors see the names of the locations."
      />
    </fieldset>
  );
}

function Subscribers({ form }: { form: FormState }) {
  return (
    <fieldset class="group">
      <legend>Subscribers</legend>
      <CheckField
        form={form}
        pointer="/announceDetected"
        help="Notifies subscribers when checks detect an incident and when it is resolved, without an update by your team."
      />
      <DurationField
        form={form}
        field={ANNOUNCE_AFTER}
        pointer={ANNOUNCE_AFTER.pointer}
        help="How long an incident must last before it is announced: up to 24 hours."
      />
    </fieldset>
  );
}

function Access({ form, hasPassword }: { form: FormState; hasPassword: boolean }) {
  const kept = hasPassword ? ' Leave empty to keep the current one.' : '';
  return (
    <fieldset class="group access">
      <legend>Access</legend>
      <RadioField form={form} pointer="/accessType" choices={ACCESS_CHOICES} />
      <div class="page-password">
        <TextField
          form={form}
          pointer="/password"
          help={`8 to 200 characters. Visible as you type, so that you can share it with your visitors.${kept}`}
        />
      </div>
    </fieldset>
  );
}

/** The page stays as published as it was, unless the second button publishes it. */
function Save({ isPublished, path }: { isPublished: boolean; path: string }) {
  return (
    <Buttons>
      <button class="button" type="submit" name="do" value="save">
        {isPublished ? 'Save' : 'Save draft'}
      </button>
      {!isPublished && (
        <button class="button plain" type="submit" name="do" value="publish">
          Publish
        </button>
      )}
      <a class="button ghost" href={path}>
        Cancel
      </a>
    </Buttons>
  );
}
