import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { attempt } from '../../../../channels/deliver.js';
import { type Delivery } from '../../../../channels/delivery.js';
import { textAt } from '../../../../channels/net/http-client.js';
import { type AnswerReader, post } from '../../../../channels/net/post.js';
import { signatureHeaders } from '../../../../channels/webhook/signature.js';
import { AppConfig } from '../../../../config/app-config.js';
import { createAddressPolicy } from '../../../../probes/net/address-policy.js';
import { Egress } from '../../../../probes/net/egress.js';
import { DnsResolver } from '../../../../probes/net/name-resolver.js';
import { webhookAddressProblem } from './webhook-address.js';
import { challengePayload, type Payload, type PayloadPage } from './webhook-payload.js';

const CHALLENGE_BYTES = 32;
/** Challenges that one process sends at the same time. Each may hold a connection for 10 s. */
const MAX_CHALLENGES = 20;

/** Where something is posted, and the secret that signs it. */
export interface Destination {
  url: string;
  secret: string;
}

/**
 * The only network access of webhooks of subscribers. Visitors enter their addresses, so they have an address policy of
 * their own: what channels of signed-in teams may reach says nothing about them.
 */
@Injectable()
export class WebhookSender {
  private readonly egress: Egress;
  private readonly policy;
  private challenging = 0;

  constructor(config: AppConfig) {
    this.policy = createAddressPolicy(config.get('ALLOW_PRIVATE_SUBSCRIBER_WEBHOOKS'));
    const options = { forbidden: config.ownServers, ownPorts: config.ownPorts };
    this.egress = new Egress(this.policy, new DnsResolver(), options);
  }

  /** Returns what is wrong with an address, as the end of a sentence; null if it is right as far as it shows. */
  problemOf(url: string): string | null {
    return webhookAddressProblem(url, (host) => this.policy.refusesHost(host));
  }

  /** Posts something once, within 10 s. Never rejects because of the receiver. Redirects are not followed. */
  send(id: string, payload: Payload, to: Destination): Promise<Delivery> {
    return this.post(id, payload, to, {});
  }

  /**
   * Asks an address whether it wants to be sent updates, once and within 10 s. It does if it answers with the random text
   * that it is sent, which a service that knows nothing of webhooks does not.
   */
  async challenge(page: PayloadPage, to: Destination): Promise<Delivery> {
    if (this.challenging >= MAX_CHALLENGES) return BUSY;
    this.challenging += 1;
    try {
      const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
      return await this.post(uuidv7(), challengePayload(challenge, page, Date.now()), to, {
        accepts: ({ json }) => textAt(json, 'challenge') === challenge,
        explanation: ({ statusCode }) => (statusCode < 300 ? 'the response does not contain the challenge' : null),
      });
    } finally {
      this.challenging -= 1;
    }
  }

  private post(id: string, payload: Payload, { url, secret }: Destination, reader: AnswerReader): Promise<Delivery> {
    const text = JSON.stringify(payload);
    const headers = { 'Content-Type': 'application/json', ...signatureHeaders(id, text, [secret], Date.now()) };
    return attempt((deadline) => {
      const context = { deadline, egress: this.egress, mail: null };
      return post({ url, headers, text }, context, { ...reader, unreached });
    });
  }
}

/** Names that exist only in the network of the service look like those that do not exist, because anybody may ask. */
function unreached({ code }: { code: string }): string | null {
  return code === 'address_blocked' || code === 'dns_not_found' ? 'The host has no public address.' : null;
}

const BUSY: Delivery = {
  status: 'failed',
  permanent: false,
  retryAfterMs: null,
  statusCode: null,
  error: 'Too many challenges are being sent at the moment. Try again in a minute.',
};
