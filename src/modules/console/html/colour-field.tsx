import { LIGHT_LINK } from '../../../html/palette.js';
import { type FieldProps, Labelled } from './fields.js';

/**
 * A field for a colour as `#rrggbb`, or empty for none. A colour picker cannot represent "none", so it only fills in
 * the text field, needs the script, and is not sent itself. For an empty text field it shows the default colour of
 * links.
 */
export function ColourField(field: FieldProps) {
  return (
    <Labelled field={field}>
      {(control) => (
        <div class="colour">
          <input {...control} autocomplete="off" spellcheck={false} value={field.form.text(control.name)} />
          <input
            type="color"
            aria-label={`${field.form.labelOf(field.pointer)}: colour picker`}
            value={LIGHT_LINK}
            data-colour-of={control.id}
            hidden
          />
        </div>
      )}
    </Labelled>
  );
}
