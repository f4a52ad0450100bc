import { type FormField } from '../../../domain/form-field.js';
import { type FieldProps, Labelled } from './fields.js';
import { customField, durationControl } from './duration-choice.js';

/** A choice of the usual durations. A number of seconds appears beside it for "Custom…". */
export function DurationField({ field, ...common }: FieldProps & { field: FormField }) {
  const { form } = common;
  return (
    <Labelled field={common}>
      {(control) => {
        const custom = customField(control.name);
        const shown = durationControl(field, form.text(control.name), form.text(custom));
        return (
          <div class="duration reveals">
            <select {...control}>
              {shown.choices.map(({ value, label }) => (
                <option key={value} value={value} selected={value === shown.chosen}>
                  {label}
                </option>
              ))}
            </select>
            <span class="when when-custom">
              <input
                name={custom}
                value={shown.custom}
                inputMode="decimal"
                autocomplete="off"
                aria-label={`${field.label}, in seconds`}
                aria-invalid={control['aria-invalid']}
              />
              seconds
            </span>
          </div>
        );
      }}
    </Labelled>
  );
}
