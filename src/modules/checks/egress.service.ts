import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { createAddressPolicy } from '../../probes/net/address-policy.js';
import { Egress } from '../../probes/net/egress.js';
import { DnsResolver } from '../../probes/net/name-resolver.js';
import { type ThreadSettings } from '../../probes/thread/messages.js';

const POSTGRES_PORT = 5_432;

/** The only network access of checks, under the operator's address policy. */
@Injectable()
export class EgressService {
  readonly egress: Egress;
  /** The settings from which another thread creates the same `Egress`. */
  readonly settings: ThreadSettings;

  constructor(config: AppConfig) {
    const allowPrivateTargets = config.get('ALLOW_PRIVATE_TARGETS');
    const options = { forbidden: ownDatabase(config), ownPorts: config.ownPorts };
    this.settings = { allowPrivateTargets, ...options };
    this.egress = new Egress(createAddressPolicy(allowPrivateTargets), new DnsResolver(), options);
  }
}

/** Returns the service's own database, which no setting allows as a target. The embedded one has no network address. */
function ownDatabase(config: AppConfig): { host: string; port: number }[] {
  const url = config.get('DATABASE_URL');
  if (config.embedded || url === null || !URL.canParse(url)) return [];
  const { hostname, port } = new URL(url);
  return hostname === '' ? [] : [{ host: hostname, port: Number(port) || POSTGRES_PORT }];
}
