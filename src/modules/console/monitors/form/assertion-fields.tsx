import { ASSERTION_COMPARISONS, type AssertionSource } from '../../../../domain/assertions.js';
import { type FormState } from '../../form-state.js';
import { bindings, Errors } from '../../html/fields.js';
import { Icon } from '../../html/icon.js';
import { COMPARISON_WORDS, SOURCE_WORDS } from '../../../../domain/assertion-words.js';
import { type AssertionMember, MAX_ROWS, rowField, rowsFor } from './assertion-rows.js';

interface AssertionFieldsProps {
  form: FormState;
  sources: readonly AssertionSource[];
  /** The step that the assertions belong to; by default, they belong to the monitor. */
  step?: { pointer: string; prefix: string };
}

/** What to enter for each source. */
const HINTS: Readonly<Record<AssertionSource, string>> = {
  statusCode: 'A number such as 200, compared with the final status code after redirects.',
  responseTimeMs: 'In milliseconds, for example: is less than 800.',
  header: 'The property is the name of the header, such as Content-Type.',
  textBody: 'The whole body as text, for example: contains Welcome.',
  jsonBody:
    'The property is a JSONPath such as $.status, or $ for the whole body. Put a number in quotes to compare it as text.',
  responseBodySize: 'In bytes, of which at most 1 MiB is read, for example: is less than 100000.',
  tlsDaysLeft: 'Whole days until the certificate expires, for example: is greater than 14.',
  tlsProtocol: 'The negotiated version, for example: is TLSv1.3.',
  certificateFingerprint: 'SHA-256 of the certificate: 64 hexadecimal digits in lower case, without colons.',
  dnsRecord: 'The property is optional: a record type such as MX.',
  packetLossPercent: 'Share of the echo requests without a reply, for example: is less than 20.',
  jitterMs: 'Average difference between successive round-trip times, for example: is less than 30.',
  value: 'The first value of the response, for example: is greater than 0.',
  domainDaysLeft: 'Whole days until the registration expires, for example: is greater than 30.',
  runSeconds:
    'Seconds from the start to the end of a run, for example: is greater than 10. The job must report its start.',
};

/**
 * The assertions about a response, one per row. Without the script, there are empty rows to fill in; the script removes
 * them and adds rows on demand.
 */
export function AssertionFields({ form, sources, step }: AssertionFieldsProps) {
  const pointer = `${step?.pointer ?? ''}/assertions`;
  const filled = Array.from({ length: MAX_ROWS }, (_, row) => row).filter(
    (row) => form.text(rowField(row, 'source', step?.prefix)) !== '',
  ).length;
  return (
    <fieldset class="field" id={form.idOf(pointer)} tabIndex={-1} data-assertions={MAX_ROWS}>
      <legend>{form.labelOf(pointer)}</legend>
      <p class="help">
        All assertions must pass.
        <span data-without-script> Rows without a source are ignored; more rows appear after saving.</span>
      </p>
      <Errors id={form.idOf(pointer)} errors={form.errorsAt(pointer)} />
      {Array.from({ length: rowsFor(filled) }, (_, row) => (
        <AssertionRow key={row} form={form} row={row} sources={sources} {...(step && { step })} />
      ))}
      <p data-with-script hidden>
        <button class="button plain small" type="button" data-add-assertion>
          <Icon name="plus" />
          Add assertion
        </button>
      </p>
    </fieldset>
  );
}

function AssertionRow({ form, row, sources, step }: AssertionFieldsProps & { row: number }) {
  const pointer = `${step?.pointer ?? ''}/assertions/${row}`;
  const label = form.labelOf(pointer);
  const { control, errors } = bindings({ form, pointer });
  const text = (member: AssertionMember) => form.text(rowField(row, member, step?.prefix));
  const common = (member: AssertionMember, word: string) => ({
    name: rowField(row, member, step?.prefix),
    'aria-label': `${label}: ${word}`,
    'aria-invalid': control['aria-invalid'],
    'aria-describedby': control['aria-describedby'],
  });
  return (
    <div class="assertion-row reveals" data-assertion>
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
        <input {...common('property', 'property')} placeholder="Property" value={text('property')} />
        <select {...common('comparison', 'comparison')}>
          {ASSERTION_COMPARISONS.map((comparison) => (
            <option key={comparison} value={comparison} selected={comparison === text('comparison')}>
              {COMPARISON_WORDS[comparison]}
            </option>
          ))}
        </select>
        <input {...common('target', 'value')} placeholder="Value" value={text('target')} />
        <button
          class="button ghost square"
          type="button"
          data-remove-assertion
          aria-label={`Remove ${label.toLowerCase()}`}
          data-with-script
          hidden
        >
          <Icon name="x" />
        </button>
      </div>
      {sources.map((source) => (
        <p key={source} class={`help when when-${source}`}>
          {HINTS[source]}
        </p>
      ))}
    </div>
  );
}
