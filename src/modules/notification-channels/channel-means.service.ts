import { Injectable } from '@nestjs/common';
import { type DeliveryMeans } from '../../channels/deliver.js';
import { AppConfig } from '../../config/app-config.js';
import { type AddressPolicy, createAddressPolicy } from '../../probes/net/address-policy.js';
import { Egress } from '../../probes/net/egress.js';
import { DnsResolver } from '../../probes/net/name-resolver.js';
import { OperatorMail } from '../mail/operator-mail.service.js';
import { type ChannelRules } from './channel-write.js';

/** The only network access of notification channels: under their own address policy, and the operator's mail server. */
@Injectable()
export class ChannelMeansService implements ChannelRules {
  readonly means: DeliveryMeans;
  private readonly policy: AddressPolicy;

  constructor(config: AppConfig, mail: OperatorMail) {
    this.policy = createAddressPolicy(config.get('ALLOW_PRIVATE_CHANNELS'));
    const options = { forbidden: config.ownServers, ownPorts: config.ownPorts };
    this.means = {
      egress: new Egress(this.policy, new DnsResolver(), options),
      mail: mail.mailer,
    };
  }

  get canMail(): boolean {
    return this.means.mail !== null;
  }

  refusesHost(host: string): boolean {
    return this.policy.refusesHost(host);
  }
}
