import { type FormState } from '../../form-state.js';
import { SelectField, TextField } from '../../html/fields.js';
import { secretHelp, type SecretsOf } from './secrets.js';

const SCHEMES = [
  { value: '', label: 'None' },
  { value: 'basic', label: 'Basic (username and password)' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'oauth2', label: 'OAuth 2.0 (client credentials)' },
];

/** The credentials of a check. Only the fields of the chosen scheme are visible. */
export function AuthControls({ form, secrets }: { form: FormState; secrets: SecretsOf }) {
  const again = ['password', 'token', 'clientSecret'].some((name) => form.text(name) !== '');
  const secret = (name: 'password' | 'token' | 'clientSecret') => {
    const help = secretHelp(secrets, name === 'clientSecret' ? 'client secret' : name);
    return (
      <TextField
        form={form}
        pointer={`/auth/${name}`}
        type="password"
        autoComplete="new-password"
        {...(help !== undefined && { help })}
      />
    );
  };
  return (
    <div class="reveals">
      <SelectField form={form} pointer="/auth/type" name="authType" choices={SCHEMES} />
      {again && (
        <p class="error">
          Enter the password, token or secret again before you save: it is never sent back to the browser.
        </p>
      )}
      <div class="when when-basic columns">
        <TextField form={form} pointer="/auth/username" />
        {secret('password')}
      </div>
      <div class="when when-bearer">{secret('token')}</div>
      <div class="when when-oauth2 columns">
        <TextField form={form} pointer="/auth/tokenUrl" />
        <TextField form={form} pointer="/auth/clientId" />
        {secret('clientSecret')}
        <TextField form={form} pointer="/auth/scope" />
      </div>
    </div>
  );
}
