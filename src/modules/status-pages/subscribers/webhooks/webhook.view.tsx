import { Field } from '../../html/subscribe-form.js';
import { type SubscriptionPaths } from '../subscriber-links.js';
import { type FormFault } from '../subscription-form.js';
import { type OpenedWebhook } from './subscriber-webhooks.service.js';
import { type WebhookStatus } from './webhook-status.js';

/** Returns what is wrong with the address of a webhook that was entered. */
export function webhookFault(fault: FormFault | null): string | null {
  return fault?.field === 'webhook' ? fault.text : null;
}

interface WebhookFieldProps {
  url?: string;
  fault: string | null;
  isRequired?: boolean;
}

/** The field for the address of a webhook, on the pages that the links in mails open. */
export function WebhookField({ url = '', fault, isRequired = false }: WebhookFieldProps) {
  const label = isRequired ? 'Webhook URL' : 'Webhook URL (optional)';
  return (
    <>
      <Field id="webhook" name="webhook" type="url" label={label} value={url} fault={fault} required={isRequired} />
      <p class="quiet">
        Once the URL has answered a challenge, updates are sent there as JSON instead of by email. The first request
        contains a random string in <code>data.challenge</code>; the response must return it as{' '}
        <code>{'{"challenge": "…"}'}</code>.
      </p>
    </>
  );
}

const STATUS_WORDS: Readonly<Record<WebhookStatus, string>> = {
  unanswered: 'Not active: the challenge has not been answered yet. Until it is, updates are sent by email.',
  active: 'Active: updates are sent to this URL.',
  ended: 'Deactivated: updates are sent by email again.',
};

interface WebhookSectionProps {
  webhook: OpenedWebhook | null;
  paths: SubscriptionPaths;
  fault: FormFault | null;
}

/** The state of a subscriber's webhook, and the forms that add, activate, replace and remove it. */
export function WebhookSection({ webhook, paths, fault }: WebhookSectionProps) {
  const faultText = webhookFault(fault);
  const address = (
    <form method="post" action={paths.webhook} class="subscription">
      <WebhookField url={fault?.webhook} fault={faultText} isRequired />
      <button class="button plain" type="submit">
        {webhook === null ? 'Add webhook' : 'Replace webhook'}
      </button>
    </form>
  );
  return (
    <section class="webhook" aria-labelledby="webhook-title">
      <h2 id="webhook-title">Webhook</h2>
      {webhook === null ? (
        <details open={faultText !== null}>
          <summary>Send updates to a webhook</summary>
          {address}
        </details>
      ) : (
        <>
          <Facts webhook={webhook} />
          <div class="actions">
            {webhook.status !== 'active' && <Action action={paths.challenge} label="Send challenge again" />}
            <Action action={paths.removeWebhook} label="Remove webhook" />
          </div>
          <details open={faultText !== null}>
            <summary>Use another URL</summary>
            {address}
          </details>
        </>
      )}
    </section>
  );
}

function Facts({ webhook: { url, secret, status, error } }: { webhook: OpenedWebhook }) {
  return (
    <dl>
      <dt>URL</dt>
      <dd>
        <code>{url}</code>
      </dd>
      <dt>Status</dt>
      <dd>
        {STATUS_WORDS[status]}
        {error !== null && <p class="fault">{status === 'active' ? `The latest attempt failed: ${error}` : error}</p>}
      </dd>
      <dt>Signing secret</dt>
      <dd>
        <code>{secret}</code>
        <p class="quiet">
          Every request is signed with it according to <a href="https://www.standardwebhooks.com">Standard Webhooks</a>.
        </p>
      </dd>
    </dl>
  );
}

function Action({ action, label }: { action: string; label: string }) {
  return (
    <form method="post" action={action}>
      <button class="button plain" type="submit">
        {label}
      </button>
    </form>
  );
}
