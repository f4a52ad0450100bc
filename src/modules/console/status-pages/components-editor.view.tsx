import { type TagCount } from '../../monitors/monitors.service.js';
import { type FormState } from '../form-state.js';
import { Errors } from '../html/fields.js';
import { Icon } from '../html/icon.js';
import { isPicking } from '../picker/asked.js';
import { MonitorSearchBox, StepButton } from '../picker/hits.js';
import { type MonitorHits, type NamedMonitor } from '../picker/monitor-search.service.js';
import { ComponentRow, Handle, RowText, Steps } from './component-row.js';
import { type GroupFields, LAYOUT_FIELD } from './page-components.js';
import { groupPointer } from './page-form.js';

export interface ComponentsEditorProps {
  form: FormState;
  groups: readonly GroupFields[];
  /** The monitors of the components, by id. */
  monitors: ReadonlyMap<string, NamedMonitor>;
  hits: MonitorHits;
  tags: readonly TagCount[];
  /** The path to which the form is sent. */
  action: string;
}

const POINTER = '/components';

/** The components of a page by group, in order, and a picker for more. Its buttons send the form and save nothing. */
export function ComponentsEditor(props: ComponentsEditorProps) {
  const { form, groups, hits, tags, action } = props;
  const id = form.idOf(POINTER);
  const chosen = new Set(groups.flatMap(({ components }) => components.map(({ monitorId }) => monitorId)));
  const layout = groups.flatMap(({ field, components }) => [field, ...components.map((one) => one.field)]);
  return (
    <fieldset class="group" id={id} tabIndex={-1} data-sortable data-in-place>
      <legend>{form.labelOf(POINTER)}</legend>
      <p class="help">The monitors that the page shows. Leave a name empty to use the name of its monitor.</p>
      <Errors id={id} errors={form.errorsAt(POINTER)} />
      <div class="part" data-swap="components">
        <input type="hidden" name={LAYOUT_FIELD} value={layout.join(' ')} data-layout />
        <Groups {...props} />
      </div>
      <p class="hidden" id="handle-help">
        Drag it, or press the up and down arrow keys.
      </p>
      <p class="hidden" role="status" data-moves />
      <MonitorSearchBox
        hits={hits}
        chosen={chosen}
        label="Search monitors to add"
        isOpen={isPicking(form)}
        action={action}
      >
        {tags.length > 0 && <AddTagged tags={tags} action={`${action}#${id}`} />}
      </MonitorSearchBox>
    </fieldset>
  );
}

function Groups(props: ComponentsEditorProps) {
  const { form, groups, action } = props;
  const list = `${action}#${form.idOf(POINTER)}`;
  let before = 0;
  return (
    <>
      <ol class="page-groups" data-groups>
        {groups.map((group, place) => {
          const first = before;
          before += group.components.length;
          return (
            <li key={group.field} class="page-group" data-token={group.field} data-name={group.name || 'the group'}>
              <div class="page-group-head">
                <Handle about={group.name || `group ${place + 1}`} />
                <RowText
                  form={form}
                  pointer={groupPointer(place)}
                  name={`${group.field}.name`}
                  placeholder="Group name (optional)"
                  isFocused={place === groups.length - 1 && form.text('do') === 'new-group'}
                />
                {groups.length > 1 && (
                  <Steps field={group.field} about={group.name || `group ${place + 1}`} action={list} />
                )}
              </div>
              <Components {...props} action={list} group={group} first={first} />
            </li>
          );
        })}
      </ol>
      <div>
        <button class="button ghost small" type="submit" name="do" value="new-group" formaction={action} formnovalidate>
          <Icon name="plus" />
          Add group
        </button>
      </div>
    </>
  );
}

interface ComponentsProps extends ComponentsEditorProps {
  group: GroupFields;
  /** The position of its first component among those of all groups. */
  first: number;
}

function Components({ form, groups, monitors, action, group, first }: ComponentsProps) {
  const targets = groups.filter((one) => one !== group);
  return (
    <ol class="page-rows" data-empty="No components. A group without components is not saved.">
      {group.components.map((component, at) => (
        <ComponentRow
          key={component.field}
          form={form}
          component={component}
          monitor={monitors.get(component.monitorId) ?? { id: component.monitorId, name: null }}
          at={first + at}
          targets={targets}
          action={action}
        />
      ))}
    </ol>
  );
}

function AddTagged({ tags, action }: { tags: readonly TagCount[]; action: string }) {
  return (
    <div class="tagged">
      <label for="add-tag">Add all tagged</label>
      <div class="inline">
        <select id="add-tag" name="tag">
          {tags.map(({ tag, count }) => (
            <option key={tag} value={tag}>
              {tag} ({count.toLocaleString('en')})
            </option>
          ))}
        </select>
        <StepButton value="add-tagged" to={action}>
          Add all
        </StepButton>
      </div>
    </div>
  );
}
