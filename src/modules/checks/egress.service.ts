import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { createAddressPolicy } from '../../probes/net/address-policy.js';
import { Egress } from '../../probes/net/egress.js';
import { DnsResolver } from '../../probes/net/name-resolver.js';
import { type ThreadSettings } from '../../probes/thread/messages.js';

/** The only network access of checks, under the operator's address policy. */
@Injectable()
export class EgressService {
  readonly egress: Egress;
  /** The settings from which another thread creates the same `Egress`. */
  readonly settings: ThreadSettings;

  constructor(config: AppConfig) {
    const allowPrivateTargets = config.get('ALLOW_PRIVATE_TARGETS');
    const rdapBootstrapUrl = config.get('RDAP_BOOTSTRAP_URL');
    const options = { forbidden: config.ownServers, ownPorts: config.ownPorts, rdapBootstrapUrl };
    this.settings = { allowPrivateTargets, ...options };
    this.egress = new Egress(createAddressPolicy(allowPrivateTargets), new DnsResolver(), options);
  }
}
