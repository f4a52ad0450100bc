import { type PageAddress } from '../page-address.js';

/** What a visitor has entered, and what is wrong with it. */
export interface EnteredSubscription {
  email?: string;
  webhook?: string;
  fault?: { pointer?: string; detail: string } | null;
}

/** A form in which a visitor enters where updates are sent: an email address, and a webhook if they prefer that. */
export function SubscribeForm({
  address,
  email = '',
  webhook = '',
  fault = null,
}: EnteredSubscription & { address: PageAddress }) {
  const [emailFault, webhookFault] = ['/email', '/webhook'].map((at) => (fault?.pointer === at ? fault.detail : null));
  return (
    <form method="post" action={address.subscriptions} class="subscription">
      <Field
        id="subscribe-email"
        name="email"
        type="email"
        label="Email"
        value={email}
        fault={emailFault}
        autocomplete="email"
        required
        maxLength={254}
      />
      <details open={webhook !== ''}>
        <summary>Use a webhook</summary>
        <div class="subscription">
          <Field
            id="subscribe-webhook"
            name="webhook"
            type="url"
            label="Webhook URL"
            value={webhook}
            fault={webhookFault}
          />
          <p class="quiet">
            Updates are sent there as JSON instead of by email. Your email address is used to confirm the subscription,
            and to send updates if the webhook fails.
          </p>
        </div>
      </details>
      <button class="button" type="submit">
        Subscribe
      </button>
    </form>
  );
}

interface FieldProps {
  id: string;
  name: string;
  type: 'email' | 'url';
  label: string;
  value?: string;
  fault?: string | null;
  autocomplete?: string;
  required?: boolean;
  maxLength?: number;
}

/** A field for an address, with what is wrong with it. */
export function Field({ id, label, fault = null, ...input }: FieldProps) {
  const faultId = `${id}-fault`;
  return (
    <>
      <label for={id}>{label}</label>
      {fault !== null && (
        <p id={faultId} class="fault" role="alert">
          {fault}
        </p>
      )}
      <input
        id={id}
        {...input}
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault === null ? undefined : faultId}
      />
    </>
  );
}
