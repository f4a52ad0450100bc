import { type ComponentChildren } from 'preact';
import { ASSERTION_COMPARISONS, type AssertionSource } from '../../../../domain/assertions.js';
import { type FormState } from '../../form-state.js';
import { bindings, Errors, SelectField, TextField } from '../../html/fields.js';
import { COMPARISON_WORDS, SOURCE_WORDS } from '../assertion-words.js';
import { type AssertionMember, MAX_ROWS, rowField, rowsFor } from './assertion-rows.js';

/** A part of a form that most people do not need. It is expanded if one of its fields has a fault. */
export function Group({
  form,
  title,
  pointers,
  children,
}: {
  form: FormState;
  title: string;
  /** The pointers that its controls write. */
  pointers: readonly string[];
  children: ComponentChildren;
}) {
  const isWrong = pointers.some((pointer) => form.errorsAt(pointer).length > 0);
  return (
    <details class="group" open={isWrong ? true : undefined}>
      <summary>{title}</summary>
      <div class="more">{children}</div>
    </details>
  );
}

const SCHEMES = [
  { value: '', label: 'None' },
  { value: 'basic', label: 'Basic (username and password)' },
  { value: 'bearer', label: 'Bearer token' },
];

/**
 * The credentials of a check. `isStored` states whether an existing monitor is edited, whose stored secrets remain if
 * the fields are empty.
 */
export function AuthFields({ form, isStored }: { form: FormState; isStored: boolean }) {
  const kept = isStored ? ' Leave empty to keep the stored one.' : '';
  const again = ['password', 'token'].some((name) => form.text(name) !== '');
  return (
    <>
      <SelectField form={form} pointer="/auth/type" name="authType" choices={SCHEMES} />
      {again && (
        <p class="error">Enter the password or token again before you save: it is not sent back to this page.</p>
      )}
      <div class="columns">
        <TextField form={form} pointer="/auth/username" help="For Basic." />
        <TextField
          form={form}
          pointer="/auth/password"
          type="password"
          autoComplete="new-password"
          help={`For Basic.${kept}`}
        />
        <TextField
          form={form}
          pointer="/auth/token"
          type="password"
          autoComplete="new-password"
          help={`For Bearer.${kept}`}
        />
      </div>
    </>
  );
}

/** The assertions about a response, one per row. */
export function AssertionFields({ form, sources }: { form: FormState; sources: readonly AssertionSource[] }) {
  const filled = Array.from({ length: MAX_ROWS }, (_, row) => row).filter(
    (row) => form.text(rowField(row, 'source')) !== '',
  ).length;
  return (
    <fieldset class="field" id={form.idOf('/assertions')} tabIndex={-1}>
      <legend>{form.labelOf('/assertions')}</legend>
      <p class="help">
        All assertions must pass. “Property” is a header name or a JSONPath such as $.status. Put a number in quotes to
        compare it as text. Rows without a source are ignored; more rows appear after saving.
      </p>
      <Errors id={form.idOf('/assertions')} errors={form.errorsAt('/assertions')} />
      {Array.from({ length: rowsFor(filled) }, (_, row) => (
        <AssertionRow key={row} form={form} row={row} sources={sources} />
      ))}
    </fieldset>
  );
}

function AssertionRow({ form, row, sources }: { form: FormState; row: number; sources: readonly AssertionSource[] }) {
  const pointer = `/assertions/${row}`;
  const { control, errors } = bindings({ form, pointer });
  const text = (member: AssertionMember) => form.text(rowField(row, member));
  const common = (member: AssertionMember, word: string) => ({
    name: rowField(row, member),
    'aria-label': `Assertion ${row + 1}: ${word}`,
    'aria-invalid': control['aria-invalid'],
    'aria-describedby': control['aria-describedby'],
  });
  return (
    <>
      <Errors id={control.id} errors={errors} />
      <div class="assertion">
        <select id={control.id} {...common('source', 'source')}>
          <option value="">–</option>
          {sources.map((source) => (
            <option key={source} value={source} selected={source === text('source')}>
              {SOURCE_WORDS[source]}
            </option>
          ))}
        </select>
        <input {...common('property', 'property')} placeholder="property" value={text('property')} />
        <select {...common('comparison', 'comparison')}>
          {ASSERTION_COMPARISONS.map((comparison) => (
            <option key={comparison} value={comparison} selected={comparison === text('comparison')}>
              {COMPARISON_WORDS[comparison]}
            </option>
          ))}
        </select>
        <input {...common('target', 'value')} placeholder="value" value={text('target')} />
      </div>
    </>
  );
}
