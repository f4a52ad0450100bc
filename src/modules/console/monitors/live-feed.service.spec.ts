import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.js';
import { type AppConfig } from '../../../config/app-config.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { type MonitorChangesService } from '../../monitors/definition/monitor-changes.service.js';
import { type SessionsService } from '../../sessions/sessions.service.js';
import { type TeamLimits } from '../../teams/team-limits.service.js';
import { LiveFeed } from './live-feed.service.js';
import { type LiveUpdates } from './live-updates.service.js';

const teamId = 't' as TeamId;

describe('LiveFeed', () => {
  it('sends a change again after the database failed while the update was read', async () => {
    let reads = 0;
    const changes = {
      marks: () => Promise.resolve(new Map([[teamId, new Map([['m', '1']])]])),
      created: () => Promise.resolve(new Map()),
    };
    const sessions = { going: () => Promise.resolve(new Map([['s', teamId]])) };
    const updates = {
      countsOf: () => Promise.resolve(new Map()),
      ofMonitors: () => {
        reads += 1;
        if (reads === 1) return Promise.reject(new Error('Connection terminated'));
        return Promise.resolve(new Map([['m', { update: { id: 'm' }, evidence: null }]]));
      },
    };
    const feed = new LiveFeed(
      changes as unknown as MonitorChangesService,
      sessions as unknown as SessionsService,
      updates as unknown as LiveUpdates,
      {} as TeamLimits,
      {} as AppConfig,
    );
    const written: string[] = [];
    feed.follow(
      { sessionId: 's', teamId, ids: ['m'], sinceMs: null, counts: false, evidence: false },
      { write: (text) => void written.push(text), end: () => undefined },
    );
    await eventually(() => expect(written).toContain('event: monitor\ndata: {"id":"m"}\n\n'));
    feed.onModuleDestroy();
  });
});
