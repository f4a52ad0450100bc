/** The outcome of one attempt. */
export type Delivery =
  | {
      status: 'sent';
      /** The provider's own id of the message or alert, if it has one. */
      providerId: string | null;
      /** HTTP status code, or null for other protocols. */
      statusCode: number | null;
    }
  | {
      status: 'failed';
      /** Whether a retry cannot succeed until somebody changes the channel or the provider. */
      permanent: boolean;
      /** How long the receiver asks to wait, or null if it did not ask. */
      retryAfterMs: number | null;
      statusCode: number | null;
      /** One sentence for people, at most 300 characters, without secrets. */
      error: string;
    };
