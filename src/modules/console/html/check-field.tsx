import { bindings, Errors, type FieldProps } from './fields.js';

/** Yes or no; the field is sent, as `on`, where it is yes. */
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
