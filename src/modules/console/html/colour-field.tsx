import { LIGHT_LINK } from '../../../html/palette.js';
import { bindings, Errors, type FieldProps, Help } from './fields.js';

/**
 * A colour as `#rrggbb`, or none where it is left empty. What chooses one from a palette can say "none" to nobody, so it
 * only writes into the text, where there is a script, and is not sent itself. Beside an empty text it shows what links
 * usually have.
 */
export function ColourField(field: FieldProps) {
  const { control, errors } = bindings(field);
  const label = field.form.labelOf(field.pointer);
  return (
    <div class="field">
      <label for={control.id}>{label}</label>
      <Help id={control.id} help={field.help} />
      <Errors id={control.id} errors={errors} />
      <div class="colour">
        <input {...control} autocomplete="off" spellcheck={false} value={field.form.text(control.name)} />
        <input
          type="color"
          aria-label={`${label}, from a palette`}
          value={LIGHT_LINK}
          data-colour-of={control.id}
          hidden
        />
      </div>
    </div>
  );
}
