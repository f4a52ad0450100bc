import { type FormState } from '../form-state.js';
import { Errors } from '../html/fields.js';
import { isPicking } from './asked.js';
import { MonitorSearchBox } from './hits.js';
import { type MonitorHits, type NamedMonitor } from './monitor-search.service.js';
import { MONITORS_FIELD } from './picked-ids.js';

export interface PickedMonitorsProps {
  form: FormState;
  /** JSON pointer into the API's body that the field writes. */
  pointer?: string;
  help: string;
  picked: readonly NamedMonitor[];
  hits: MonitorHits | null;
  /** The path to which the form is sent. */
  action: string;
}

/** A field for monitors: the chosen ones, and a search for more. */
export function PickedMonitors({ form, pointer = '/monitorIds', help, picked, hits, action }: PickedMonitorsProps) {
  const id = form.idOf(pointer);
  const errors = form.errorsAt(pointer);
  return (
    <fieldset class="group" id={id} tabIndex={-1} data-in-place aria-invalid={errors.length > 0 ? 'true' : undefined}>
      <legend>{form.labelOf(pointer)}</legend>
      <p class="help">{help}</p>
      <Errors id={id} errors={errors} />
      <div class="part" data-swap="picked">
        <input type="hidden" name={MONITORS_FIELD} value={picked.map((one) => one.id).join()} />
        {picked.length > 0 && (
          <ul class="picks" aria-label="Selected monitors">
            {picked.map((one) => (
              <li key={one.id}>
                <span dir="auto">{one.name ?? 'A deleted monitor'}</span>
                <button
                  class="button plain small"
                  type="submit"
                  name="do"
                  value={`remove:${one.id}`}
                  formaction={`${action}#${id}`}
                  formnovalidate
                >
                  Remove<span class="hidden"> {one.name}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <MonitorSearchBox
        hits={hits}
        action={action}
        chosen={new Set(picked.map((one) => one.id))}
        label="Search monitors"
        isOpen={isPicking(form)}
      />
    </fieldset>
  );
}
