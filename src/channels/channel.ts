import type { FormField } from '../domain/form-field.js';
import type { Deadline } from '../probes/deadline.js';
import type { Egress } from '../probes/net/egress.js';
import type { Delivery } from './delivery.js';
import type { Mailer } from './mail/mailer.js';
import type { Message } from './message.js';

export type { Delivery };

/** Time that one attempt to send may take, from the resolution of a name to the last byte of the response. */
export const SEND_TIMEOUT_MS = 10_000;

/** The means that a channel may use while it sends. */
export interface ChannelContext {
  /** The absolute deadline of the attempt. */
  deadline: Deadline;
  /** The only permitted way to resolve names and open connections, because it applies the operator's address rules. */
  egress: Egress;
  /** Sends mail through the operator's server; null if the operator has configured none. */
  mail: Mailer | null;
}

/**
 * What reads a channel's messages:
 * - `people`: simultaneous alerts are collected, into one message for each kind of event;
 * - `machines`: each root incident is one alert, which the recovery closes;
 * - `program`: each notification is sent on its own, never collected.
 */
export type ChannelAudience = 'people' | 'machines' | 'program';

/** The form controls of one channel type. */
export interface ChannelForm {
  /** What such a channel reaches, in a few words, for the choice of the type. */
  gist: string;
  /** Shown first, directly below the name. */
  essential: readonly FormField[];
  /** Shown in a closed section. */
  advanced?: readonly FormField[];
}

/** A host in a channel's fields, and its location in them (JSON pointer). */
export interface ChannelHost {
  pointer: string;
  host: string;
}

/**
 * A channel type. To add one, write a file with its definition and add a line to `index.ts`: validation, OpenAPI,
 * storage, the form and the documentation are derived from the definition.
 */
export interface ChannelDefinition<F extends object = object> {
  /** The value of a channel's `type`. */
  type: string;
  /** The type's name for people, such as "Slack". */
  label: string;
  /** Describes in one sentence what is sent and where, for the form and the documentation. */
  summary: string;
  audience: ChannelAudience;
  /** Whether the channel needs `ChannelContext.mail`. Without it, no channel of the type can be created. */
  needsMail?: true;
  /**
   * For receivers that forget an alert which is not repeated: its trigger is sent again at this interval while the alert
   * is open, and its end for five minutes.
   */
  refreshSeconds?: number;
  /** Complete, valid settings for the documentation. The key differs from those of the other types' examples. */
  example: { key: string; name: string; settings: F };
  /**
   * The class of the type's settings, with validators. Omitted optional fields get their `defaults`. Masks of secrets
   * must be replaced by the stored secrets before the settings are validated.
   */
  fields: new () => F;
  /** Values of fields that the settings omit. */
  defaults: Partial<F>;
  /** The form controls. A field without a control can be set only through the API. */
  form: ChannelForm;
  /** Returns values for fields that new settings omit and that differ for each channel, such as a generated secret. */
  generate?(): Partial<F>;
  /**
   * Returns the settings with a new secret; the old one stays valid until `until`. Absent if the type has no secret of
   * its own to rotate.
   */
  rotate?(fields: F, until: Date): F;
  /** Names of fields that a rotation sets. A replacement that omits them keeps them, unless their secrets are dropped. */
  setByRotation?: readonly string[];
  /**
   * Returns the paths to the string members that contain secrets, such as `['headers', 'Authorization']`. They are
   * encrypted at rest and masked in responses. Also called with input that has not been validated.
   */
  secretPaths(fields: F): string[][];
  /** Returns where secrets are sent. If a change alters it, stored secrets are not carried over. */
  secretScope(fields: F): string;
  /** Returns the hosts that `send` connects to. Writes with addresses in blocked ranges are rejected. */
  hosts(fields: F): ChannelHost[];
  /** Returns the IANA name of the zone in which messages give times; UTC if it is absent or returns nothing. */
  timeZone?(fields: F): string | undefined;
  /**
   * Makes one attempt to send a message. Never throws because of the receiver: such a failure is a failed `Delivery`.
   * Throws only for a fault of the service itself. Settles at the latest shortly after the deadline, and leaves nothing
   * open. Sends the same ids in each attempt, so that a repetition is recognised where the receiver supports that.
   */
  send(message: Message, fields: F, context: ChannelContext): Promise<Delivery>;
}
