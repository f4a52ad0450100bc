import { bindings, Errors, type FieldProps } from './fields.js';

/** A checkbox. If it is checked, the form sends the field with the value `on`. */
export function CheckField(field: FieldProps) {
  const { control, errors } = bindings(field);
  return (
    <div class="field">
      <Errors id={control.id} errors={errors} />
      <div class="choice">
        <input {...control} type="checkbox" checked={field.form.text(control.name) !== ''} />
        <span>
          <label for={control.id}>{field.form.labelOf(field.pointer)}</label>
          {field.help && (
            <span class="help" id={`${control.id}-help`}>
              {' '}
              {field.help}
            </span>
          )}
        </span>
      </div>
    </div>
  );
}
