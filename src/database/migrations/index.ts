import { Initial1795132800000 } from './1795132800000-initial.js';
import { RateLimits1795188960000 } from './1795188960000-rate-limits.js';
import { MaintenanceWindows1795200000000 } from './1795200000000-maintenance-windows.js';
import { ExclusionsAndFidelity1795200060000 } from './1795200060000-exclusions-and-fidelity.js';
import { MonitorParents1795200120000 } from './1795200120000-monitor-parents.js';
import { Incidents1795200180000 } from './1795200180000-incidents.js';
import { CheckThresholds1795200240000 } from './1795200240000-check-thresholds.js';
import { WriteMostly1795200300000 } from './1795200300000-write-mostly.js';
import { People1795300000000 } from './1795300000000-people.js';
import { AccentColour1795300420000 } from './1795300420000-accent-colour.js';
import { ShownSecrets1795478400000 } from './1795478400000-shown-secrets.js';
import { IncidentBackFill1795521600000 } from './1795521600000-incident-back-fill.js';
import { Operations1795546800000 } from './1795546800000-operations.js';
import { CustomDomain1795560000000 } from './1795560000000-custom-domain.js';
import { Events1795570000000 } from './1795570000000-events.js';
import { NotificationPolicies1795571000000 } from './1795571000000-notification-policies.js';
import { NotificationChannels1795572000000 } from './1795572000000-notification-channels.js';
import { Notifications1795573000000 } from './1795573000000-notifications.js';
import { AcknowledgementsAndStorms1795574000000 } from './1795574000000-acknowledgements-and-storms.js';
import { PasswordResets1795575000000 } from './1795575000000-password-resets.js';
import { Subscribers1795576000000 } from './1795576000000-subscribers.js';
import { MonitorRunbooks1795577000000 } from './1795577000000-monitor-runbooks.js';
import { Drills1795578000000 } from './1795578000000-drills.js';
import { Certificates1795579000000 } from './1795579000000-certificates.js';
import { SeverityIndex1795583000000 } from './1795583000000-severity-index.js';
import { SubscriberWebhooks1795584000000 } from './1795584000000-subscriber-webhooks.js';
import { MailQuarantine1795585000000 } from './1795585000000-mail-quarantine.js';
import { UnobservedMonitors1795586000000 } from './1795586000000-unobserved-monitors.js';
import { LatestEvents1795587000000 } from './1795587000000-latest-events.js';
import { Shards1795588000000 } from './1795588000000-shards.js';
import { Locations1795589000000 } from './1795589000000-locations.js';
import { ShownLocations1795591000000 } from './1795591000000-shown-locations.js';
import { Heartbeats1795592000000 } from './1795592000000-heartbeats.js';
import { PingKeys1795593000000 } from './1795593000000-ping-keys.js';
import { DomainsAndUnreported1795594000000 } from './1795594000000-domains-and-unreported.js';
import { ChannelFailures1795595000000 } from './1795595000000-channel-failures.js';
import { LatestRepeats1795596000000 } from './1795596000000-latest-repeats.js';
import { SecretHolders1795597000000 } from './1795597000000-secret-holders.js';
import { NoticedExpiry1795597100000 } from './1795597100000-noticed-expiry.js';
import { FormerQuorums1795598000000 } from './1795598000000-former-quorums.js';
import { OpenRuns1795599000000 } from './1795599000000-open-runs.js';
import { QueueResponses1795600500000 } from './1795600500000-queue-responses.js';
import { WaitingReports1795601000000 } from './1795601000000-waiting-reports.js';
import { LoneSettings1795602000000 } from './1795602000000-lone-settings.js';

/** Every migration, oldest first. Listed explicitly, because a pattern could match a stale file of an earlier build. */
export const MIGRATIONS = [
  Initial1795132800000,
  RateLimits1795188960000,
  MaintenanceWindows1795200000000,
  ExclusionsAndFidelity1795200060000,
  MonitorParents1795200120000,
  Incidents1795200180000,
  CheckThresholds1795200240000,
  WriteMostly1795200300000,
  People1795300000000,
  AccentColour1795300420000,
  ShownSecrets1795478400000,
  IncidentBackFill1795521600000,
  Operations1795546800000,
  CustomDomain1795560000000,
  Events1795570000000,
  NotificationPolicies1795571000000,
  NotificationChannels1795572000000,
  Notifications1795573000000,
  AcknowledgementsAndStorms1795574000000,
  PasswordResets1795575000000,
  Subscribers1795576000000,
  MonitorRunbooks1795577000000,
  Drills1795578000000,
  Certificates1795579000000,
  SeverityIndex1795583000000,
  SubscriberWebhooks1795584000000,
  MailQuarantine1795585000000,
  UnobservedMonitors1795586000000,
  LatestEvents1795587000000,
  Shards1795588000000,
  Locations1795589000000,
  ShownLocations1795591000000,
  Heartbeats1795592000000,
  PingKeys1795593000000,
  DomainsAndUnreported1795594000000,
  ChannelFailures1795595000000,
  LatestRepeats1795596000000,
  SecretHolders1795597000000,
  NoticedExpiry1795597100000,
  FormerQuorums1795598000000,
  OpenRuns1795599000000,
  QueueResponses1795600500000,
  WaitingReports1795601000000,
  LoneSettings1795602000000,
];
