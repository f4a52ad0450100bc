import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { createAddressPolicy } from '../../probes/net/address-policy.js';
import { Egress } from '../../probes/net/egress.js';
import { DnsResolver } from '../../probes/net/name-resolver.js';
import { type ThreadSettings } from '../../probes/thread/messages.js';

const POSTGRES_PORT = 5_432;

/** The one way out for checks, under the operator's address policy. */
@Injectable()
export class EgressService {
  readonly egress: Egress;
  /** By which another thread makes the same. */
  readonly settings: ThreadSettings;

  constructor(config: AppConfig) {
    const allowPrivateTargets = config.get('ALLOW_PRIVATE_TARGETS');
    const options = { forbidden: ownDatabase(config), ownPorts: config.ownPorts };
    this.settings = { allowPrivateTargets, ...options };
    this.egress = new Egress(createAddressPolicy(allowPrivateTargets), new DnsResolver(), options);
  }
}

/** Our own database is no target, whatever is allowed. The embedded one listens on no address. */
function ownDatabase(config: AppConfig): { host: string; port: number }[] {
  const url = config.get('DATABASE_URL');
  if (config.embedded || url === null || !URL.canParse(url)) return [];
  const { hostname, port } = new URL(url);
  return hostname === '' ? [] : [{ host: hostname, port: Number(port) || POSTGRES_PORT }];
}
