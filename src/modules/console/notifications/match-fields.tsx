import { PROBES } from '../../../probes/index.js';
import { type TagCount } from '../../monitors/monitors.service.js';
import { type FormState } from '../form-state.js';
import { Errors, Labelled, RadioField } from '../html/fields.js';
import { type MonitorHits, type NamedMonitor } from '../picker/monitor-search.service.js';
import { PickedMonitors } from '../picker/picked-monitors.js';
import { SCOPE_CHOICES, SCOPE_FIELD, typeField } from './match-form.js';

/** The number of tags in use that the form shows. */
const MAX_TAGS = 12;

export interface MatchFieldsProps {
  form: FormState;
  picked: readonly NamedMonitor[];
  hits: MonitorHits | null;
  tags: readonly TagCount[];
  /** The path to which the form is sent. */
  action: string;
}

/** The controls that select monitors: all of them, or some by name, tag and type. */
export function MatchFields({ form, picked, hits, tags, action }: MatchFieldsProps) {
  return (
    <div class="group reveals">
      <RadioField form={form} pointer="/match" name={SCOPE_FIELD} choices={SCOPE_CHOICES} />
      <div class="when when-chosen">
        <div class="match">
          <PickedMonitors
            form={form}
            pointer="/match/monitorIds"
            help="These monitors, and those selected by tag or type below."
            action={action}
            picked={picked}
            hits={hits}
          />
          <div class="columns">
            <TagsField form={form} pointer="/match/tags" help="Comma-separated." />
            <TagsField form={form} pointer="/match/allTags" help="Comma-separated." />
          </div>
          {tags.length > 0 && <TagsInUse tags={tags} />}
          <Types form={form} />
          <TagsField
            form={form}
            pointer="/match/notTags"
            help="Comma-separated. Excludes these monitors even if they are selected above."
          />
        </div>
      </div>
    </div>
  );
}

function TagsField(field: { form: FormState; pointer: string; help: string }) {
  return (
    <Labelled field={field}>
      {(control) => <input {...control} autocomplete="off" dir="auto" value={field.form.text(control.name)} />}
    </Labelled>
  );
}

/** The most frequent tags, so that nobody has to remember how they are spelled. */
function TagsInUse({ tags }: Pick<MatchFieldsProps, 'tags'>) {
  return (
    <p class="help">
      Tags in use:{' '}
      {tags.slice(0, MAX_TAGS).map(({ tag }, at) => (
        <span key={tag}>
          {at > 0 && ', '}
          <bdi>{tag}</bdi>
        </span>
      ))}
      {tags.length > MAX_TAGS && ' and others'}.
    </p>
  );
}

function Types({ form }: { form: FormState }) {
  const pointer = '/match/types';
  const id = form.idOf(pointer);
  return (
    <fieldset class="field" id={id} tabIndex={-1}>
      <legend>{form.labelOf(pointer)}</legend>
      <Errors id={id} errors={form.errorsAt(pointer)} />
      <div class="days">
        {PROBES.map(({ type, label }) => (
          <label key={type} class="choice">
            <input type="checkbox" name={typeField(type)} checked={form.text(typeField(type)) !== ''} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
