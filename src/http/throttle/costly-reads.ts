import { Injectable } from '@nestjs/common';
import { TeamShares } from './team-shares.js';

/** Limits expensive reads to two per team at once, so that requests of other teams are served in between. */
@Injectable()
export class CostlyReads extends TeamShares {
  constructor() {
    super({ atOnce: 2, mostWaiting: 50, noun: 'report, uptime or response time requests' });
  }
}
