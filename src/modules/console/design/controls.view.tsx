import { type FormShape, FormState } from '../form-state.js';
import { AreaField } from '../html/area-field.js';
import { CheckField } from '../html/check-field.js';
import { Buttons, RadioField, SelectField, TextField } from '../html/fields.js';
import { Icon, Logo } from '../html/icon.js';
import { Menu, MenuLink } from '../html/menu.js';
import { Example } from './example.js';

const SHAPE: FormShape = {
  id: 'example',
  labels: {
    '/name': 'Name',
    '/role': 'Role',
    '/when': 'Repeats',
    '/public': 'Show on status pages',
    '/message': 'Message',
  },
};

/** What people click and fill in. */
export function Controls() {
  const form = FormState.blank(SHAPE, { name: 'Checkout API', role: 'editor', when: 'daily' });
  return (
    <>
      <h2>Controls</h2>
      <Example name="Button">
        <Buttons>
          <button class="button">Create monitor</button>
          <button class="button plain">
            <Icon name="pencil" />
            Edit
          </button>
          <button class="button ghost">Cancel</button>
          <button class="button danger">Delete monitor</button>
          <button class="button plain small">Small</button>
          <button class="button" disabled>
            Disabled
          </button>
        </Buttons>
      </Example>
      <Example name="Field, select, choices">
        <div class="columns">
          <TextField form={form} pointer="/name" help="Shown in lists and on the page of the monitor." />
          <SelectField form={form} pointer="/role" choices={[{ value: 'editor', label: 'Editor' }]} />
          <RadioField
            form={form}
            pointer="/when"
            choices={[
              { value: 'once', label: 'Once' },
              { value: 'daily', label: 'Daily', help: 'at the same local time' },
            ]}
          />
          <CheckField form={form} pointer="/public" help="Internal otherwise." />
          <AreaField form={form} pointer="/message" />
        </div>
      </Example>
      <Example name="Menu">
        <Menu button={<span class="button plain">Actions</span>}>
          <MenuLink href="/design" icon="copy" label="Duplicate" />
          <hr />
          <MenuLink href="/design" icon="trash" label="Delete" isDanger />
        </Menu>
      </Example>
      <Example name="Tabs, pagination, chip, tag, avatar, logo">
        <ul class="links">
          <li>
            <a href="/design" aria-current="page">
              24 hours
            </a>
          </li>
          <li>
            <a href="/design">7 days</a>
          </li>
        </ul>
        <div class="pages">
          <span class="quiet">1–25 of 208</span>
          <a class="button plain small" href="/design">
            Next page
          </a>
        </div>
        <p class="chips">
          <a class="chip" href="/design" aria-current="true">
            <strong>9</strong> Down
          </a>
          <a class="tag" href="/design">
            production
          </a>
          <span class="avatar">AM</span>
          <span class="brand">
            <Logo />
            Daywatch
          </span>
        </p>
      </Example>
    </>
  );
}
