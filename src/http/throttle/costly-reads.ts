import { Injectable } from '@nestjs/common';
import { TeamShares } from './team-shares.js';

/** Reads that take long: two of a team at once, between which others' requests come. */
@Injectable()
export class CostlyReads extends TeamShares {
  constructor() {
    super({ atOnce: 2, mostWaiting: 50, noun: 'reports or uptimes' });
  }
}
