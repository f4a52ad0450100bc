import { type ComponentChildren } from 'preact';
import { type FormState } from '../form-state.js';
import { Errors } from './fields.js';
import { Icon } from './icon.js';

interface StepListProps {
  form: FormState;
  /** JSON pointer to the list. */
  pointer: string;
  help: string;
  count: number;
  /** The greatest possible number of steps. */
  most: number;
  /** The path to which the form is sent. */
  action: string;
  /** Whether a step can be moved before the previous one. */
  mayMove?: boolean;
  /** Renders the content of the step at a place, counted from 0. */
  step: (place: number) => ComponentChildren;
  /** What follows the list in its group. */
  children?: ComponentChildren;
}

/**
 * Steps that can be added, removed and moved. The buttons send the form with `do` (`add-step`, `remove-step:<place>` or
 * `raise-step:<place>`) and save nothing.
 */
export function StepList({ form, pointer, help, count, most, action, mayMove, step, children }: StepListProps) {
  const id = form.idOf(pointer);
  const button = { type: 'submit', name: 'do', formnovalidate: true } as const;
  return (
    <fieldset class="group" id={id} tabIndex={-1}>
      <legend>{form.labelOf(pointer)}</legend>
      <p class="help">{help}</p>
      <Errors id={id} errors={form.errorsAt(pointer)} />
      <ol class="steps-list">
        {Array.from({ length: count }, (_, place) => {
          const own = `${pointer}/${place}`;
          const small = { ...button, class: 'button ghost small', formaction: `${action}#${id}` };
          return (
            <li key={place} class="step" id={form.idOf(own)} tabIndex={-1}>
              <div class="step-head">
                <strong>{form.labelOf(own)}</strong>
                <span>
                  {mayMove && place > 0 && (
                    <button {...small} value={`raise-step:${place}`}>
                      Move up<span class="hidden"> step {place + 1}</span>
                    </button>
                  )}
                  {count > 1 && (
                    <button {...small} value={`remove-step:${place}`}>
                      <Icon name="x" />
                      Remove<span class="hidden"> step {place + 1}</span>
                    </button>
                  )}
                </span>
              </div>
              <Errors id={form.idOf(own)} errors={form.errorsAt(own)} />
              {step(place)}
            </li>
          );
        })}
      </ol>
      {count < most && (
        <div>
          <button
            {...button}
            class="button plain small"
            value="add-step"
            formaction={`${action}#${form.idOf(`${pointer}/${count}`)}`}
          >
            <Icon name="plus" />
            Add step
          </button>
        </div>
      )}
      {children}
    </fieldset>
  );
}
