import { type ApiKeyDto, type ApiKeyWithSecretDto } from '../../api-keys/dto/api-key.dto.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { renderConfirm } from '../html/confirm.view.js';
import { CopyBlock, WithCurl } from '../html/copy.js';
import { Buttons, SelectField } from '../html/fields.js';
import { FORMS_STYLE } from '../html/form-assets.js';
import { Form } from '../html/form.js';
import { page } from '../html/layout.js';
import { Time } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { API_KEYS_PATH, OVERLAP_CHOICES } from './key-form.js';
import { SettingsNavigation } from './settings-navigation.js';

const TRAIL = [{ label: 'API keys', href: API_KEYS_PATH }];

/** Renders the only page that ever shows a secret. */
export function renderSecret(frame: PageFrame, { key, title }: { key: ApiKeyWithSecretDto; title: string }): string {
  const secret = key.secret ?? '';
  return page(frame, {
    title,
    section: 'Settings',
    styles: [FORMS_STYLE],
    subNavigation: <SettingsNavigation current="API keys" />,
    children: (
      <>
        <p class="warning" role="status">
          <strong>Copy the secret now: it is not shown again.</strong> Store it as a secret, for example in a secret
          manager or in the settings of your CI.
        </p>
        <section class="card" aria-labelledby="secret-title">
          <h2 id="secret-title">Secret</h2>
          <CopyBlock id="secret" label="secret" text={secret} />
          <h3>Try it</h3>
          <CopyBlock
            id="try"
            label="curl command"
            text={curlLine('GET', `${frame.origin}/v1/api-keys/self`, { key: secret })}
          />
        </section>
        <dl class="facts card">
          <dt>Name</dt>
          <dd dir="auto">{key.name}</dd>
          <dt>Scope</dt>
          <dd>{key.scopes.join(', ')}</dd>
          <dt>Expires</dt>
          <dd>
            <Time at={key.expiresAt} />
          </dd>
          {key.previousPrefix !== null && (
            <>
              <dt>Old secret</dt>
              <dd>
                <code>{key.previousPrefix}…</code>, until <Time at={key.previousExpiresAt} />
              </dd>
            </>
          )}
        </dl>
        <p>
          <a class="button" href={API_KEYS_PATH}>
            Done
          </a>
        </p>
      </>
    ),
  });
}

export function renderRotateKey(frame: PageFrame, key: ApiKeyDto, form: FormState): string {
  const path = `/v1/api-keys/${key.id}/rotate`;
  return page(frame, {
    title: `Rotate ${key.name}`,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="API keys" />,
    trail: TRAIL,
    form,
    children: (
      <>
        <Form frame={frame} action={`${API_KEYS_PATH}/${key.id}/rotate`} class="form card">
          <p>
            The key keeps its name and scope and gets a new secret. Keep the old secret valid for a while, so that you
            can update everything that uses it.
          </p>
          <SelectField form={form} pointer="/overlapSeconds" choices={OVERLAP_CHOICES} />
          <Buttons>
            <button class="button" type="submit">
              Rotate key
            </button>
            <a href={API_KEYS_PATH}>Cancel</a>
          </Buttons>
        </Form>
        <WithCurl
          id="rotate-curl"
          command={curlLine('POST', frame.origin + path, { body: { overlapSeconds: 3_600 } })}
        />
      </>
    ),
  });
}

export function renderRevokeKey(frame: PageFrame, key: ApiKeyDto, form?: FormState): string {
  return renderConfirm(frame, {
    title: `Revoke ${key.name}?`,
    section: 'Settings',
    subNavigation: <SettingsNavigation current="API keys" />,
    trail: TRAIL,
    action: `${API_KEYS_PATH}/${key.id}/revoke`,
    button: 'Revoke key',
    back: API_KEYS_PATH,
    form,
    curl: curlLine('DELETE', `${frame.origin}/v1/api-keys/${key.id}`),
    children: (
      <p>
        Anything that uses <code>{key.prefix}…</code> stops working within a second. This cannot be undone. Last used:{' '}
        <Time at={key.lastUsedAt} />.
      </p>
    ),
  });
}
