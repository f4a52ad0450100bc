import { mayBeDelivered, type NotificationAddress, type RecordedNotification } from './facts.js';
import { endKey, planned, type PlannedNotification, suppressed, type View } from './planned.js';
import { type Draft } from './triggers.js';

/** Plans the messages by which the channels that know of an alert hear of its acknowledgements. */
export function acknowledgementsOf(view: View): PlannedNotification[] {
  const { alert, attempted, now, closedAt } = view;
  return alert.acknowledgements.flatMap(({ at, until, reportedBy }, index) => {
    if (at > view.horizon) return [];
    const isTold = (one: (typeof attempted)[number]): boolean =>
      one.channelId !== reportedBy && one.attempts[0]!.at < at && mayBeDelivered(one);
    return firstOfEach(attempted.filter(isTold)).map((first) => {
      const address: NotificationAddress = { ...first, kind: 'acknowledged', repeat: index + 1 };
      const isOver = closedAt !== null || (until !== null && until <= now);
      if (!isOver) return planned(view, address, at);
      const into = closedAt === null ? null : endKey(view, first.channelId);
      return planned(view, address, at, { ...suppressed('collected'), into });
    });
  });
}

/**
 * Plans the messages that end an alert. A resolve goes wherever a trigger was attempted, or a notice that opens an alert
 * at a provider, even where the outcome is not known, and replaces the triggers that are due and not sent yet. A
 * retraction sends one correction to the channels that were notified, and replaces the resolve if that is not sent yet.
 */
export function endingsOf(view: View, openings: readonly Draft[]): PlannedNotification[] {
  const { alert, recorded } = view;
  const attempted: NotificationAddress[] = view.attempted.filter(({ kind, channelId }) => {
    return kind !== 'notice' || closesNotices(view, channelId);
  });
  const ends: PlannedNotification[] = [];
  const { retractedAt } = alert;
  const resolves = recorded.filter(({ kind }) => kind === 'resolve');
  if (retractedAt !== null) {
    const told = [...attempted, ...resolves.filter(({ attempts }) => attempts.length > 0)];
    for (const first of firstOfEach(told)) {
      ends.push(planned(view, { ...first, kind: 'correction', repeat: 0 }, retractedAt));
    }
    for (const resolve of resolves) {
      if (resolve.settled) continue;
      const into = endKey(view, resolve.channelId);
      ends.push(planned(view, resolve, retractedAt, { ...suppressed('collected'), into }));
    }
    return ends;
  }
  if (alert.end === null || alert.end.isReplaced) return ends;
  const { at, how } = alert.end;
  const replaced = openings.filter(({ reason, into, channelId }) => {
    return reason === 'collected' && into !== null && into === endKey(view, channelId);
  });
  for (const first of firstOfEach([...attempted, ...replaced, ...earlierNotices(view)])) {
    const own = view.attempted.filter(({ channelId }) => channelId === first.channelId);
    const isKnown = alert.knownAt?.includes(first.channelId!) === true;
    const isSent = isKnown || own.some(({ attempts }) => attempts.some(({ outcome }) => outcome === 'sent'));
    const note = how === 'resolved' ? null : how;
    ends.push(planned(view, { ...first, kind: 'resolve', repeat: 0 }, at, { replacesTrigger: !isSent, note }));
  }
  return ends;
}

/** Returns what stands for the notices of earlier alerts that this one continues, at channels that must close them. */
function earlierNotices(view: View): NotificationAddress[] {
  const channelIds = (view.alert.knownAt ?? []).filter((id) => closesNotices(view, id));
  return channelIds.map((channelId) => ({ kind: 'notice', policyId: null, step: 1, repeat: 0, channelId }));
}

/** Returns whether a channel opened an alert for a notice. Maintenance is reported as a change, which is not open. */
function closesNotices({ alert, channels }: View, channelId: string | null): boolean {
  return alert.event !== 'maintenance' && channels.some(({ id, closesNotices }) => id === channelId && closesNotices);
}

/** Returns the first notification of each channel. */
function firstOfEach<N extends NotificationAddress>(
  list: readonly (N | RecordedNotification)[],
): NotificationAddress[] {
  const first = new Map<string, NotificationAddress>();
  for (const { kind, policyId, step, repeat, channelId } of list) {
    if (channelId === null || first.has(channelId)) continue;
    first.set(channelId, { kind, policyId, step, repeat, channelId });
  }
  return [...first.values()];
}
