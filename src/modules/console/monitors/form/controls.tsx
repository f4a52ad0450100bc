import { type FormState } from '../../form-state.js';
import { AreaField } from '../../html/area-field.js';
import { SelectField, TextField } from '../../html/fields.js';
import { type FormField } from '../../../../domain/form-field.js';
import { DurationField } from '../../html/duration-field.js';

/** The control of one field of a definition. */
export function Control({ form, field }: { form: FormState; field: FormField }) {
  const { pointer, name, kind, choices, lines, required = false, secret = false } = field;
  // What was typed is not empty, although the control of a secret is when it is shown again.
  const ifEmpty = form.isSentSecret(pointer) ? undefined : field.ifEmpty;
  const help = [field.help, ifEmpty].filter((text) => text !== undefined).join(' ');
  const common = { form, pointer, ...(name !== undefined && { name }), ...(help !== '' && { help }) };
  if (kind === 'seconds' || kind === 'milliseconds') return <DurationField {...common} field={field} />;
  if (choices) return <SelectField {...common} choices={choices} />;
  if (lines !== undefined) return <AreaField {...common} rows={lines} isCode isSecret={secret} />;
  return (
    <TextField
      {...common}
      required={required}
      {...(secret && { type: 'password' as const, autoComplete: 'new-password' })}
    />
  );
}

/** The controls of several fields. */
export function Controls({ form, fields }: { form: FormState; fields: readonly FormField[] }) {
  return (
    <>
      {fields.map((field) => (
        <Control key={field.pointer} form={form} field={field} />
      ))}
    </>
  );
}
