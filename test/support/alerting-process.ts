import { DataSource } from 'typeorm';
import { readConfig } from '../../src/config/app-config.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { SecretBox } from '../../src/database/secret-box.js';
import { Transactions } from '../../src/database/tx.js';
import { EventLog } from '../../src/modules/events/event-log.service.js';
import { ChannelHealthService } from '../../src/modules/notification-channels/channel-health.service.js';
import { NotificationChannel } from '../../src/modules/notification-channels/notification-channel.entity.js';
import {
  type Alerting,
  type NotificationPoliciesService,
} from '../../src/modules/notification-policies/notification-policies.service.js';
import { AlertContext } from '../../src/modules/notifications/alert-context.service.js';
import { AlertFactsService } from '../../src/modules/notifications/alert-facts.service.js';
import { AlertRefreshes } from '../../src/modules/notifications/alert-refreshes.service.js';
import { AlertStore } from '../../src/modules/notifications/alert-store.service.js';
import { AttemptsService } from '../../src/modules/notifications/attempts.service.js';
import { ChannelClaim } from '../../src/modules/notifications/channel-claim.entity.js';
import { ChannelClaimsService } from '../../src/modules/notifications/channel-claims.service.js';
import { MessageComposer } from '../../src/modules/notifications/message-composer.service.js';
import { Notification } from '../../src/modules/notifications/notification.entity.js';
import { NotificationOutcomesService } from '../../src/modules/notifications/notification-outcomes.service.js';
import { NotificationTimer } from '../../src/modules/notifications/notification-timer.entity.js';
import { PlanStore } from '../../src/modules/notifications/plan-store.service.js';
import { PlannerService } from '../../src/modules/notifications/planner.service.js';
import { PlanningService } from '../../src/modules/notifications/planning.service.js';
import { Team } from '../../src/modules/teams/team.entity.js';
import { type TeamsService } from '../../src/modules/teams/teams.service.js';

/** Connects to a database with the entities that planning and sending use. */
export function alertingSource(url: string, connections: number): Promise<DataSource> {
  const entities = [Team, NotificationChannel, ChannelClaim, Notification, NotificationTimer];
  return new DataSource({ ...dataSourceOptions(url, connections), entities }).initialize();
}

/**
 * Returns what one process plans and sends with, as if every team had these policies and channels. Nothing runs by
 * itself: a test decides when something is planned or attempted, and at what time.
 */
export function alertingProcess(source: DataSource, alerting: Alerting) {
  const policies = { alerting: () => Promise.resolve(alerting) } as unknown as NotificationPoliciesService;
  const teams = { find: () => Promise.resolve([{ name: 'Team' }]) } as unknown as TeamsService;
  const [transactions, store, config] = [new Transactions(source), new AlertStore(), readConfig({})];
  const [context, outcomes] = [new AlertContext(), new NotificationOutcomesService()];
  const planning = new PlanningService(store, new AlertFactsService(context), new PlanStore(), outcomes);
  const composer = new MessageComposer(store, context, config, new SecretBox('k'.repeat(32)));
  const [refreshes, health] = [new AlertRefreshes(), new ChannelHealthService(new EventLog(source))];
  const claims = new ChannelClaimsService(source, config);
  const planner = new PlannerService(source, transactions, store, planning, policies);
  const attempts = new AttemptsService(
    ...([transactions, claims, store, planning, policies, teams, composer, refreshes, health, outcomes] as const),
  );
  return { store, planning, claims, planner, attempts };
}
