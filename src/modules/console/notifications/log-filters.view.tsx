import { type NotificationChannelDto } from '../../notification-channels/dto/notification-channel.dto.js';
import { NOTIFICATION_STATUSES } from '../../notifications/dto/notification.dto.js';
import { LOG_PATH } from './notification-tabs.js';
import { STATUS_WORDS } from './notification-words.js';

/** The filters and the page of the log, as its address contains them. */
export interface LogPlace {
  [name: string]: string | undefined;
  status?: string;
  channelId?: string;
  policyId?: string;
  incidentId?: string;
  monitorId?: string;
  cursor?: string;
}

/** The filters that only links to the log set. */
const LINKED = ['policyId', 'incidentId', 'monitorId'] as const;

/** The filters, which become part of the address. The script applies them as they change; without it, a button does. */
export function LogFilters({ place, channels }: { place: LogPlace; channels: readonly NotificationChannelDto[] }) {
  const { status, channelId } = place;
  const isKnown = channelId === undefined || channels.some(({ id }) => id === channelId);
  return (
    <form method="get" action={LOG_PATH} class="list-filters" role="search" aria-label="Notifications" data-filters>
      <div class="list-choices">
        <label class="hidden" for="filter-status">
          Status
        </label>
        <select id="filter-status" name="status">
          <option value="">Any status</option>
          {NOTIFICATION_STATUSES.map((value) => (
            <option key={value} value={value} selected={value === status}>
              {STATUS_WORDS[value].word}
            </option>
          ))}
        </select>
        <label class="hidden" for="filter-channel">
          Channel
        </label>
        <select id="filter-channel" name="channelId">
          <option value="">Any channel</option>
          {!isKnown && (
            <option value={channelId} selected>
              A deleted channel
            </option>
          )}
          {channels.map(({ id, name }) => (
            <option key={id} value={id} selected={id === channelId}>
              {name}
            </option>
          ))}
        </select>
        {LINKED.map((name) => place[name] !== undefined && <input type="hidden" name={name} value={place[name]} />)}
        <button class="button plain" type="submit" data-without-script>
          Apply
        </button>
        <span data-swap="clear">
          {Object.values(place).some((one) => one !== undefined) && (
            <a class="chip" href={LOG_PATH}>
              Clear filters
            </a>
          )}
        </span>
      </div>
    </form>
  );
}
