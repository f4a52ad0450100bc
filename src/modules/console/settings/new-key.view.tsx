import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { WithCurl } from '../html/copy.js';
import { Buttons, RadioField, SelectField, TextField } from '../html/fields.js';
import { Form } from '../html/form.js';
import { type PageFrame } from '../page-frame.js';
import { API_KEYS_PATH, EXPIRY_CHOICES, scopeChoices } from './key-form.js';

/** A form that creates an API key. */
export function NewKey({ frame, form }: { frame: PageFrame; form: FormState }) {
  const example = {
    name: 'GitHub Actions',
    scopes: ['write'],
    expiresAt: new Date(frame.nowMs + 7_776_000_000).toISOString(),
  };
  return (
    <section class="card" aria-labelledby="new-key">
      <h2 id="new-key">Create API key</h2>
      <Form frame={frame} action={API_KEYS_PATH}>
        <TextField form={form} pointer="/name" help="What uses the key, for example a pipeline." required />
        <RadioField form={form} pointer="/scopes" choices={scopeChoices(frame.who!.role)} />
        <div class="reveals">
          <SelectField form={form} pointer="/expiresAt" choices={EXPIRY_CHOICES} />
          <div class="when when-date">
            <TextField
              form={form}
              pointer="/expiresOn"
              type="date"
              help="The key expires at the end of that day, UTC."
            />
          </div>
        </div>
        <Buttons>
          <button class="button" type="submit">
            Create API key
          </button>
        </Buttons>
      </Form>
      <WithCurl id="new-key-curl" command={curlLine('POST', `${frame.origin}/v1/api-keys`, { body: example })} />
    </section>
  );
}
