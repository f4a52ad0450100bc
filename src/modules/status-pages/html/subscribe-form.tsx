import { type PageAddress } from '../page-address.js';

interface SubscribeFormProps {
  address: PageAddress;
  email?: string;
  /** What is wrong with the address that was sent. */
  fault?: string | null;
}

/** A form in which a visitor enters an address to which updates are sent. */
export function SubscribeForm({ address, email = '', fault = null }: SubscribeFormProps) {
  const isInvalid = fault !== null;
  return (
    <form method="post" action={address.subscriptions} class="subscription">
      <label for="subscribe-email">Email</label>
      {isInvalid && (
        <p id="subscribe-fault" class="fault" role="alert">
          {fault}
        </p>
      )}
      <input
        id="subscribe-email"
        name="email"
        type="email"
        autocomplete="email"
        required
        maxLength={254}
        value={email}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? 'subscribe-fault' : undefined}
      />
      <button class="button" type="submit">
        Subscribe
      </button>
    </form>
  );
}
