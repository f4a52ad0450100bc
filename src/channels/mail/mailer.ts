import type { Deadline } from '../../probes/deadline.js';
import type { Delivery } from '../delivery.js';

/** One mail to one or more recipients. */
export interface Mail {
  to: readonly string[];
  subject: string;
  text: string;
  html: string;
  /** Local part of the `Message-ID`; the same in each attempt. */
  messageId: string;
  /** Local part of the `Message-ID` of the first mail of the thread, or null if this mail is its own thread. */
  threadId: string | null;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
}

/** Sends mail through the operator's server. */
export interface Mailer {
  /**
   * Makes one attempt to send a mail. Never throws because of the server or a recipient. Only a refusal of a recipient or
   * of the mail itself is permanent: a refused login or sender says nothing about them, and affects all mails until the
   * operator or the provider repairs it. If the server refuses some of several recipients, even temporarily, the mail
   * counts as failed, permanently, and the error names them; the others get it.
   */
  send(mail: Mail, deadline: Deadline): Promise<Delivery>;
}
