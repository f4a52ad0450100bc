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
  const secret = (name: 'password' | 'token' | 'clientSecret') => {
    const pointer = `/auth/${name}`;
    const label = name === 'clientSecret' ? 'client secret' : name;
    const help = form.isSentSecret(pointer) ? undefined : secretHelp(secrets, label);
    return (
      <TextField
        form={form}
        pointer={pointer}
        type="password"
        autoComplete="new-password"
        {...(help !== undefined && { help })}
      />
    );
  };
  return (
    <div class="reveals">
      <SelectField form={form} pointer="/auth/type" name="authType" choices={SCHEMES} />
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
