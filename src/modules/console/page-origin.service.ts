import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { type EdgeRequest } from '../../http/edge-request.js';
import { OwnHosts } from '../../http/own-hosts.js';

/** The origin in the links and commands of a page. People copy them, so they must not contain a forged host. */
@Injectable()
export class PageOrigin {
  private readonly hosts: OwnHosts;

  constructor(private readonly config: AppConfig) {
    this.hosts = new OwnHosts(config.hostNames);
  }

  /**
   * Returns `PUBLIC_URL`, else the origin of the request if its host is one of the service's own, else the address that
   * the service listens on.
   */
  of(request: EdgeRequest): string {
    return this.config.get('PUBLIC_URL') ?? this.hosts.originOf(request) ?? this.config.origin;
  }
}
