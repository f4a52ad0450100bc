import { LIGHT_LINK } from '../../../html/palette.js';
import { type FieldProps, Labelled } from './fields.js';

/**
 * A colour as `#rrggbb`, or none where it is left empty. What chooses one from a palette can say "none" to nobody, so it
 * only writes into the text, where there is a script, and is not sent itself. Beside an empty text it shows what links
 * usually have.
 */
export function ColourField(field: FieldProps) {
  return (
    <Labelled field={field}>
      {(control) => (
        <div class="colour">
          <input {...control} autocomplete="off" spellcheck={false} value={field.form.text(control.name)} />
          <input
            type="color"
            aria-label={`${field.form.labelOf(field.pointer)}, from a palette`}
            value={LIGHT_LINK}
            data-colour-of={control.id}
            hidden
          />
        </div>
      )}
    </Labelled>
  );
}
