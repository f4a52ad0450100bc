import { type ComponentChildren } from 'preact';
import { type FormState } from '../form-state.js';

export interface FieldProps {
  form: FormState;
  /** JSON pointer into the API's body that the field writes. */
  pointer: string;
  help?: ComponentChildren;
  /** Name under which the field is sent; by default the last segment of the pointer. */
  name?: string;
}

/** Returns the attributes that connect a control to its label, help and errors. */
export function bindings({ form, pointer, help, name }: FieldProps) {
  const id = form.idOf(pointer);
  const errors = form.errorsAt(pointer);
  const described = [help && `${id}-help`, errors.length > 0 && `${id}-error`].filter(Boolean).join(' ');
  return {
    errors,
    control: {
      id,
      name: name ?? pointer.split('/').at(-1)!,
      'aria-invalid': errors.length > 0 ? ('true' as const) : undefined,
      'aria-describedby': described || undefined,
    },
  };
}

export function Help({ id, help }: { id: string; help?: ComponentChildren }) {
  if (!help) return null;
  return (
    <p class="help" id={`${id}-help`}>
      {help}
    </p>
  );
}

export function Errors({ id, errors }: { id: string; errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <p class="error" id={`${id}-error`}>
      {errors.join(' ')}
    </p>
  );
}

type Control = ReturnType<typeof bindings>['control'];

/** A control below its label, help and errors. */
export function Labelled({
  field,
  children,
}: {
  field: FieldProps;
  children: (control: Control) => ComponentChildren;
}) {
  const { control, errors } = bindings(field);
  return (
    <div class="field">
      <label for={control.id}>{field.form.labelOf(field.pointer)}</label>
      <Help id={control.id} help={field.help} />
      <Errors id={control.id} errors={errors} />
      {children(control)}
    </div>
  );
}

interface TextFieldProps extends FieldProps {
  type?: 'text' | 'email' | 'password' | 'date' | 'time' | 'datetime-local' | 'url' | 'number';
  autoComplete?: string;
  required?: boolean;
}

/** A field for a line of text. A typed password is never sent back. */
export function TextField({ type = 'text', autoComplete = 'off', required = false, ...field }: TextFieldProps) {
  return (
    <Labelled field={field}>
      {(control) => (
        <input
          {...control}
          type={type}
          autocomplete={autoComplete}
          required={required}
          value={type === 'password' ? undefined : field.form.text(control.name)}
        />
      )}
    </Labelled>
  );
}

/** A field for a new password. */
export function NewPasswordField({ form }: Pick<FieldProps, 'form'>) {
  return (
    <TextField
      form={form}
      pointer="/password"
      type="password"
      autoComplete="new-password"
      help="12 to 200 characters. A passphrase of several words works well."
      required
    />
  );
}

export interface Choice {
  value: string;
  label: string;
  help?: string;
}

interface ChoiceFieldProps extends FieldProps {
  choices: readonly Choice[];
}

/** A choice from a drop-down list. */
export function SelectField({ choices, ...field }: ChoiceFieldProps) {
  return (
    <Labelled field={field}>
      {(control) => (
        <select {...control}>
          {choices.map(({ value, label }) => (
            <option key={value} value={value} selected={value === field.form.text(control.name)}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** A choice between options that need an explanation. */
export function RadioField({ choices, ...field }: ChoiceFieldProps) {
  const { control, errors } = bindings(field);
  const { id, name, ...aria } = control;
  const chosen = field.form.text(name);
  return (
    <fieldset class="field" id={id} tabIndex={-1} {...aria}>
      <legend>{field.form.labelOf(field.pointer)}</legend>
      <Help id={id} help={field.help} />
      <Errors id={id} errors={errors} />
      {choices.map(({ value, label, help }) => (
        <label key={value} class="choice">
          <input type="radio" name={name} value={value} checked={value === chosen} />
          <span>
            {label}
            {help && <span class="help"> {help}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The buttons at the end of a form, the main one first. */
export function Buttons({ children }: { children: ComponentChildren }) {
  return <div class="buttons">{children}</div>;
}
