import { describe, expect, it } from '@jest/globals';
import { type AlertFacts, type Attempt, type ChannelFacts, type RecordedNotification } from './facts.js';
import { plan } from './plan.js';
import { type PolicyRule } from './policy.js';

const START = Date.UTC(2026, 10, 24, 12);
/** Returns the moment some seconds after the incident was recorded. */
const s = (seconds: number): number => START + seconds * 1_000;
const span = (from: number, to: number | null) => ({ from: s(from), to: to === null ? null : s(to) });

const MONITOR = { id: 'm', type: 'http', tags: ['production'], maintenance: [] };
const CHILD = { id: 'child', type: 'tcp', tags: ['database'] };
const alert: AlertFacts = {
  incidentId: 'i',
  episode: 1,
  event: 'down',
  recordedAt: START,
  monitors: [MONITOR],
  children: [],
  end: null,
  retractedAt: null,
  acknowledgements: [],
  upSpans: [],
  silences: [],
  parents: [],
};
const policy: PolicyRule = {
  id: 'p',
  enabled: true,
  activeSince: s(-1_000),
  match: { all: true },
  on: ['down', 'degraded', 'certificate_expiring', 'location_offline'],
  steps: [{ afterSeconds: 0, channelIds: ['a'] }],
  repeatEverySeconds: null,
  quietHours: null,
};
const escalating = {
  ...policy,
  steps: [
    { afterSeconds: 0, channelIds: ['a'] },
    { afterSeconds: 300, channelIds: ['b'] },
  ],
};
const repeating = { ...policy, repeatEverySeconds: 600 };
/** 12:00 to 14:00 UTC, Tuesday. */
const quiet = {
  ...policy,
  quietHours: { timezone: 'UTC', days: ['tuesday' as const], from: '12:00', to: '14:00', except: [] },
};
const channels: ChannelFacts[] = ['a', 'b', 'c'].map((id) => ({ id, enabled: true, failingSince: null }));

type Outcome = Attempt['outcome'];
/** A stored notification: `trigger p.1 a`, or `repeat p.1 a #2 @1200` with the second at which it was due. */
const stored = (text: string, ...attempts: [seconds: number, outcome: Outcome][]): RecordedNotification => {
  const [kind, of, channelId, repeat, due] = text.split(' ') as [RecordedNotification['kind'], ...string[]];
  const [policyId, step] = of!.split('.') as [string, string];
  return {
    kind,
    policyId,
    step: Number(step),
    repeat: Number(repeat?.slice(1) ?? 0),
    channelId: channelId!,
    dueAt: due === undefined ? null : s(Number(due.slice(1))),
    attempts: attempts.map(([seconds, outcome]) => ({ at: s(seconds), outcome })),
    settled: attempts.some(([, outcome]) => outcome === 'sent' || outcome === 'refused'),
    channelFailedAt: null,
  };
};
/** A notification of which no attempt was made, because its channel failed with others. */
const unreached = (text: string, seconds: number) => ({ ...stored(text), channelFailedAt: s(seconds) });
const SENT = stored('trigger p.1 a', [0, 'sent']);
const GONE: Partial<AlertFacts> = { monitors: [], areMonitorsGone: true };

interface Case {
  alert?: Partial<AlertFacts>;
  policies?: PolicyRule[];
  channels?: ChannelFacts[];
  recorded?: RecordedNotification[];
  /** Seconds after the incident was recorded. */
  now: number;
}

/** Returns one line for each notification, and one for the time at which to look again. */
function planOf({ policies = [policy], now, ...given }: Case): string[] {
  const facts = {
    alert: { ...alert, ...given.alert },
    channels: given.channels ?? channels,
    recorded: given.recorded ?? [],
  };
  const { notifications, lookAgainAt } = plan(facts, policies, s(now));
  const seconds = (at: number | null) => (at === null ? '?' : String((at - START) / 1_000));
  const lines = notifications.map((one) => {
    const { kind, policyId, step, repeat, channelId, status, reason, dueAt, into, replacesTrigger, note } = one;
    const parts = [kind, `${policyId}.${step}`, channelId ?? '', repeat ? `#${repeat}` : '', status, reason ?? ''];
    parts.push(`@${seconds(dueAt)}`, into ? `→ ${into}` : '', replacesTrigger ? 'replaces' : '', note ?? '');
    return parts.filter((part) => part !== '').join(' ');
  });
  return lookAgainAt === null ? lines : [...lines, `look again @${seconds(lookAgainAt)}`];
}

const hold = (from: number, to: number | null, failsAgain: number | null) => ({
  ...span(from, to),
  failsAgainAt: failsAgain === null ? null : s(failsAgain),
});
const ack = (at: number, until: number | null) => ({ at: s(at), until: until === null ? null : s(until) });
const silence = (from: number, to: number) => ({ match: { all: true as const }, ...span(from, to) });
const resolved = (at: number) => ({ end: { at: s(at), how: 'resolved' as const } });
const closing = (...ids: string[]) => channels.map((one) => ({ ...one, closesNotices: ids.includes(one.id) }));
const noticed = {
  alert: { event: 'certificate_expiring' as const, ...resolved(200) },
  recorded: [stored('notice p.1 a', [0, 'sent'])],
};
const disabled = (id: string) => channels.map((one) => (one.id === id ? { ...one, enabled: false } : one));

describe('plan', () => {
  describe('steps and repeats', () => {
    it.each<[string, Case, string[]]>([
      ['notifies at once', { now: 0 }, ['trigger p.1 a pending @0']],
      ['plans nothing more once that is sent', { now: 5, recorded: [SENT] }, []],
      ['waits for the next step', { now: 1, policies: [escalating], recorded: [SENT] }, ['look again @300']],
      ['escalates', { now: 300, policies: [escalating], recorded: [SENT] }, ['trigger p.2 b pending @300']],
      [
        'plans both steps after an absence of the planner',
        { now: 400, policies: [escalating] },
        ['trigger p.1 a pending @0', 'trigger p.2 b pending @300'],
      ],
      [
        'repeats the last step',
        { now: 600, policies: [repeating], recorded: [SENT] },
        ['repeat p.1 a #1 pending @600', 'look again @1200'],
      ],
      [
        'sends only the latest of the repeats that were missed',
        { now: 1_900, policies: [repeating], recorded: [SENT, stored('repeat p.1 a #1 @600')] },
        [
          'repeat p.1 a #1 suppressed collected @600 → i/1/repeat/p/1/3/a',
          'repeat p.1 a #3 pending @1800',
          'look again @2400',
        ],
      ],
      [
        'goes on repeating where the interval was lengthened',
        { now: 1_300, policies: [repeating], recorded: [SENT, stored('repeat p.1 a #4 @1199', [1_199, 'sent'])] },
        ['repeat p.1 a #5 pending @1200', 'look again @1800'],
      ],
      [
        'sends a repeat once where the interval was lengthened',
        { now: 1_300, policies: [repeating], recorded: [SENT, stored('repeat p.1 a #5 @1200', [1_200, 'sent'])] },
        ['look again @1800'],
      ],
      [
        'goes on repeating where the policy was enabled again',
        {
          now: 4_000,
          policies: [{ ...repeating, activeSince: s(3_000) }],
          recorded: [SENT, stored('repeat p.1 a #4 @2400', [2_400, 'sent'])],
        },
        ['repeat p.1 a #5 pending @3600', 'look again @4200'],
      ],
      [
        'counts a repeat that waits as the one that is due where the interval was lengthened',
        { now: 1_300, policies: [repeating], recorded: [SENT, stored('repeat p.1 a #5 @1200')] },
        ['repeat p.1 a #5 pending @1200', 'look again @1800'],
      ],
      [
        'does not repeat what was not delivered',
        { now: 600, policies: [repeating], recorded: [stored('trigger p.1 a', [0, 'failed'])] },
        ['trigger p.1 a pending @0', 'look again @1200'],
      ],
      [
        'sends other events to the first step alone',
        { now: 400, alert: { event: 'degraded' }, policies: [{ ...escalating, repeatEverySeconds: 300 }] },
        ['trigger p.1 a pending @0'],
      ],
      [
        'sends an event without an end as a notice',
        { now: 0, alert: { event: 'certificate_expiring' } },
        ['notice p.1 a pending @0'],
      ],
      [
        'holds such a notice back in quiet hours',
        { now: 60, alert: { event: 'certificate_expiring' }, policies: [quiet] },
        ['notice p.1 a held quiet_hours @7200', 'look again @7200'],
      ],
      [
        'does not send it at their end if it is over by then',
        { now: 7_200, alert: { event: 'certificate_expiring', ...resolved(7_100) }, policies: [quiet] },
        ['notice p.1 a suppressed quiet_hours @0'],
      ],
      [
        'withdraws it when it is over before it could be delivered',
        {
          now: 90,
          alert: { event: 'certificate_expiring', ...resolved(60) },
          recorded: [stored('notice p.1 a', [0, 'failed'])],
        },
        ['notice p.1 a suppressed resolved_before_step @0'],
      ],
      [
        'sends it once, even if several monitors and policies name the channel',
        {
          now: 0,
          alert: { event: 'certificate_expiring', monitors: [MONITOR, { ...MONITOR, id: 'n' }] },
          policies: [policy, { ...policy, id: 'q' }, { ...policy, id: 'r', on: ['down'] }],
        },
        ['notice p.1 a pending @0', 'notice q.1 a suppressed collected @0 → i/1/notice/p/1/0/a'],
      ],
      [
        'does not judge an event of the team by the match',
        {
          now: 0,
          alert: { event: 'location_offline', monitors: [] },
          policies: [{ ...policy, match: { tags: ['x'] } }],
        },
        ['trigger p.1 a pending @0'],
      ],
      [
        'does not notify before the policy exists',
        { now: 10, policies: [{ ...policy, activeSince: s(60) }] },
        ['look again @60'],
      ],
      [
        'ignores a policy created after the end',
        { now: 90, alert: resolved(30), policies: [{ ...policy, activeSince: s(60) }] },
        ['trigger null.0 suppressed no_policy @0'],
      ],
    ])('%s', (_, given, expected) => {
      expect(planOf(given)).toEqual(expected);
    });
  });

  describe('several policies and steps for one channel', () => {
    const other = { ...policy, id: 'q' };
    it.each<[string, Case, string[]]>([
      [
        'sends one notification at one moment',
        { now: 0, policies: [other, policy] },
        ['trigger p.1 a pending @0', 'trigger q.1 a suppressed collected @0 → i/1/trigger/p/1/0/a'],
      ],
      [
        'collects into the one that was attempted',
        { now: 9, policies: [policy, other], recorded: [stored('trigger q.1 a', [0, 'sent'])] },
        ['trigger p.1 a suppressed collected @0 → i/1/trigger/q/1/0/a'],
      ],
      [
        'collects steps with the same time',
        {
          now: 0,
          policies: [{ ...policy, steps: [...policy.steps, { afterSeconds: 0, channelIds: ['a', 'a', 'b'] }] }],
        },
        [
          'trigger p.1 a pending @0',
          'trigger p.2 a suppressed collected @0 → i/1/trigger/p/1/0/a',
          'trigger p.2 b pending @0',
        ],
      ],
      [
        'notifies again at another moment',
        {
          now: 60,
          policies: [policy, { ...other, steps: [{ afterSeconds: 60, channelIds: ['a'] }] }],
          recorded: [SENT],
        },
        ['trigger q.1 a pending @60'],
      ],
      [
        'does not send the other one when the first policy is disabled later',
        { now: 60, policies: [{ ...policy, enabled: false }, other], recorded: [SENT] },
        ['trigger q.1 a suppressed collected @0 → i/1/trigger/p/1/0/a'],
      ],
    ])('%s', (_, given, expected) => {
      expect(planOf(given)).toEqual(expected);
    });
  });

  describe('nobody to notify', () => {
    it.each<[string, Case, string[]]>([
      ['records it without a policy', { now: 0, policies: [] }, ['trigger null.0 suppressed no_policy @0']],
      [
        'records it once per incident',
        { now: 0, alert: { episode: 2 }, policies: [] },
        ['trigger null.0 suppressed no_policy @0'],
      ],
      [
        'records it if no policy matches',
        { now: 0, policies: [{ ...policy, match: { tags: ['x'] } }] },
        ['trigger null.0 suppressed no_policy @0'],
      ],
      [
        'records it if no policy is for all monitors, and its own were deleted',
        { now: 0, alert: GONE, policies: [{ ...policy, match: { types: ['http'] } }] },
        ['trigger null.0 suppressed no_policy @0'],
      ],
      [
        'does not record it if a policy is for all monitors, and its own were deleted',
        { now: 0, alert: GONE },
        ['trigger p.1 a pending @0'],
      ],
      ['does not record it for other events', { now: 0, alert: { event: 'degraded' }, policies: [] }, []],
      [
        'names the policies that are disabled',
        { now: 0, policies: [{ ...escalating, enabled: false }] },
        ['trigger p.1 a suppressed policy_disabled @0', 'trigger null.0 suppressed no_policy @0'],
      ],
      [
        'names the channels that are disabled',
        { now: 0, channels: disabled('a') },
        ['trigger p.1 a suppressed channel_disabled @0'],
      ],
    ])('%s', (_, given, expected) => {
      expect(planOf(given)).toEqual(expected);
    });
  });

  describe('waits', () => {
    const recorded = [SENT];
    const policies = [escalating];
    const maintained = (...maintenance: ReturnType<typeof hold>[]) => ({ monitors: [{ ...MONITOR, maintenance }] });
    it.each<[string, Case, string[]]>([
      [
        'resumed: waits for a check that fails after the pause',
        { now: 60, policies, alert: { monitors: [{ ...MONITOR, resumed: hold(0, 0, null) }] } },
        ['trigger p.1 a held paused @?'],
      ],
      [
        'resumed: notifies once a check has failed, and keeps the distance of the steps',
        { now: 60, policies, alert: { monitors: [{ ...MONITOR, resumed: hold(0, 0, 20) }] } },
        ['trigger p.1 a pending @20', 'look again @320'],
      ],
      [
        'resumed: notifies nobody if the monitor has recovered',
        { now: 60, alert: { ...resolved(20), monitors: [{ ...MONITOR, resumed: hold(0, 0, null) }] } },
        ['trigger p.1 a suppressed paused @0'],
      ],
      [
        'acknowledged: tells the channel and stops the steps',
        { now: 299, policies, recorded, alert: { acknowledgements: [ack(60, 3_660)] } },
        ['acknowledged p.1 a #1 pending @60', 'look again @300'],
      ],
      [
        'acknowledged: does not tell the channel whose provider reported it',
        { now: 299, policies, recorded, alert: { acknowledgements: [{ ...ack(60, 3_660), reportedBy: 'a' }] } },
        ['look again @300'],
      ],
      [
        'acknowledged: holds the step that comes due',
        {
          now: 300,
          policies,
          recorded: [SENT, stored('acknowledged p.1 a #1', [60, 'sent'])],
          alert: { acknowledgements: [ack(60, 3_660)] },
        },
        ['trigger p.2 b held acknowledged @3660', 'look again @3660'],
      ],
      [
        'acknowledged: continues after its expiry',
        {
          now: 3_660,
          policies,
          recorded: [SENT, stored('acknowledged p.1 a #1', [60, 'sent'])],
          alert: { acknowledgements: [ack(60, 3_660)] },
        },
        ['trigger p.2 b pending @3660'],
      ],
      [
        'acknowledged for ever',
        {
          now: 9_000,
          policies,
          recorded: [SENT, stored('acknowledged p.1 a #1', [60, 'sent'])],
          alert: { acknowledgements: [ack(60, null)] },
        },
        ['trigger p.2 b held acknowledged @?'],
      ],
      [
        'acknowledged: tells only channels that were told',
        { now: 61, recorded: [stored('trigger p.1 a', [0, 'failed'])], alert: { acknowledgements: [ack(60, 3_660)] } },
        ['trigger p.1 a held acknowledged @3660', 'look again @3660'],
      ],
      [
        'acknowledged: repeats the last step after the expiry if no step is left',
        {
          now: 3_660,
          recorded: [SENT, stored('acknowledged p.1 a #1', [60, 'sent'])],
          alert: { acknowledgements: [ack(60, 3_660)] },
        },
        ['repeat p.1 a #1 pending @3660 acknowledgement_ended'],
      ],
      [
        'acknowledged: ends after ten minutes of unbroken outage',
        {
          now: 900,
          policies,
          recorded: [SENT, stored('acknowledged p.1 a #1', [60, 'sent'])],
          alert: { acknowledgements: [ack(60, 3_660)], upSpans: [span(100, 130), span(200, 250)] },
        },
        ['trigger p.2 b pending @850'],
      ],
      [
        'acknowledged: lasts while the outage is younger',
        {
          now: 800,
          policies,
          recorded: [SENT, stored('acknowledged p.1 a #1', [60, 'sent'])],
          alert: { acknowledgements: [ack(60, 3_660)], upSpans: [span(200, 250)] },
        },
        ['trigger p.2 b held acknowledged @850', 'look again @850'],
      ],
      [
        'flapping: steps wait while the monitor is up',
        { now: 300, policies, recorded, alert: { upSpans: [span(200, null)] } },
        ['trigger p.2 b held flapping @?'],
      ],
      [
        'silenced: holds the first step',
        { now: 0, alert: { silences: [silence(-60, 600)] } },
        ['trigger p.1 a held silenced @600', 'look again @600'],
      ],
      [
        'silenced: notifies of what is still down at the end',
        { now: 600, alert: { silences: [silence(-60, 600)] } },
        ['trigger p.1 a pending @600'],
      ],
      [
        'silenced: keeps the distance of later steps',
        {
          now: 600,
          policies,
          recorded: [stored('trigger p.1 a', [600, 'sent'])],
          alert: { silences: [silence(-60, 600)] },
        },
        ['look again @900'],
      ],
      [
        'silenced: looks again at its end, which may leave another reason',
        { now: 0, alert: { silences: [silence(-60, 600)], acknowledgements: [{ at: s(-10), until: null }] } },
        ['trigger p.1 a held silenced @?', 'look again @600'],
      ],
      [
        'silenced: only if all monitors are',
        {
          now: 0,
          alert: {
            monitors: [MONITOR, { ...MONITOR, id: 'other' }],
            silences: [{ ...silence(-60, 600), match: { monitorIds: ['m'] } }],
          },
        },
        ['trigger p.1 a pending @0'],
      ],
      [
        'maintenance: holds',
        { now: 0, alert: maintained(hold(-60, 600, null)) },
        ['trigger p.1 a held maintenance @?'],
      ],
      [
        'maintenance: waits for a check after its end',
        { now: 601, alert: maintained(hold(-60, 600, null)) },
        ['trigger p.1 a held maintenance @?'],
      ],
      [
        'maintenance: reports what is still down after it',
        { now: 603, alert: maintained(hold(-60, 600, 602)) },
        ['trigger p.1 a pending @602 still_down_after_maintenance'],
      ],
      [
        'maintenance: does not hold back what a person reports',
        {
          now: 0,
          policies: [{ ...policy, on: ['manual_incident'] }],
          alert: { event: 'manual_incident', ...maintained(hold(-60, 600, null)) },
        },
        ['trigger p.1 a pending @0'],
      ],
      [
        'parents: waits for their results, at most a minute',
        { now: 0, alert: { parents: [{ answeredAt: null, down: [] }] } },
        ['trigger p.1 a held awaiting_parent @60', 'look again @60'],
      ],
      [
        'parents: notifies once they are up',
        { now: 12, alert: { parents: [{ answeredAt: s(12), down: [] }] } },
        ['trigger p.1 a pending @12'],
      ],
      [
        'parents: notifies after a minute without results',
        { now: 60, alert: { parents: [{ answeredAt: s(90), down: [] }] } },
        ['trigger p.1 a pending @60'],
      ],
      [
        'parents: the wait does not delay later steps',
        {
          now: 61,
          policies,
          recorded: [stored('trigger p.1 a', [60, 'sent'])],
          alert: { parents: [{ answeredAt: null, down: [] }] },
        },
        ['look again @300'],
      ],
      [
        'parents: holds while one is down',
        { now: 70, alert: { parents: [{ answeredAt: s(12), down: [hold(10, null, null)] }] } },
        ['trigger p.1 a held parent_down @?'],
      ],
      [
        'parents: holds until the child fails again after the recovery',
        { now: 500, alert: { parents: [{ answeredAt: s(12), down: [hold(0, 480, null)] }] } },
        ['trigger p.1 a held parent_down @?'],
      ],
      [
        'parents: starts its own steps then',
        { now: 520, policies, alert: { parents: [{ answeredAt: s(12), down: [hold(0, 480, 510)] }] } },
        ['trigger p.1 a pending @510', 'look again @810'],
      ],
      [
        'parents: their message goes to the channels of the children',
        {
          now: 0,
          policies: [
            policy,
            { ...policy, id: 'q', match: { tags: ['database'] }, steps: [{ afterSeconds: 0, channelIds: ['b'] }] },
          ],
          alert: { children: [CHILD] },
        },
        ['trigger p.1 a pending @0', 'trigger q.1 b pending @0'],
      ],
      [
        'quiet hours: hold back',
        { now: 0, policies: [quiet] },
        ['trigger p.1 a held quiet_hours @7200', 'look again @7200'],
      ],
      ['quiet hours: deliver at their end', { now: 7_200, policies: [quiet] }, ['trigger p.1 a pending @7200']],
      [
        'quiet hours: let exceptions through',
        { now: 0, policies: [{ ...quiet, quietHours: { ...quiet.quietHours, except: ['down'] } }] },
        ['trigger p.1 a pending @0'],
      ],
      [
        'quiet hours: do not hold back another policy',
        { now: 0, policies: [quiet, { ...policy, id: 'q' }] },
        ['trigger p.1 a held quiet_hours @7200', 'trigger q.1 a pending @0', 'look again @7200'],
      ],
      [
        'quiet hours: begin after a step was sent',
        { now: 30, policies: [policy, { ...quiet, id: 'q' }], recorded: [SENT] },
        ['trigger q.1 a held quiet_hours @7200', 'look again @7200'],
      ],
    ])('%s', (_, given, expected) => {
      expect(planOf(given)).toEqual(expected);
    });
  });

  describe('failures', () => {
    const policies = [escalating];
    const thrice = stored('trigger p.1 a', [0, 'failed'], [60, 'failed'], [120, 'failed']);
    it.each<[string, Case, string[]]>([
      [
        'a refusal makes the next step due',
        { now: 2, policies, recorded: [stored('trigger p.1 a', [1, 'refused'])] },
        ['trigger p.2 b pending @1'],
      ],
      [
        'after which the repeats of the last step still come due at their times',
        {
          now: 2,
          policies: [{ ...escalating, repeatEverySeconds: 600 }],
          recorded: [stored('trigger p.1 a', [1, 'refused']), stored('trigger p.2 b', [1, 'sent'])],
        },
        ['look again @900'],
      ],
      [
        'two failed attempts do not',
        { now: 61, policies, recorded: [stored('trigger p.1 a', [0, 'failed'], [60, 'failed'])] },
        ['trigger p.1 a pending @0', 'look again @300'],
      ],
      [
        'the third failed attempt does',
        { now: 121, policies, recorded: [thrice] },
        ['trigger p.1 a pending @0', 'trigger p.2 b pending @120'],
      ],
      [
        'the third failed attempt of its channel does, whatever was sent',
        { now: 121, policies, recorded: [unreached('trigger p.1 a', 120)] },
        ['trigger p.1 a pending @0', 'trigger p.2 b pending @120'],
      ],
      [
        'also for a policy whose notification stands for that of another one',
        {
          now: 121,
          policies: [policy, { ...escalating, id: 'q' }],
          recorded: [unreached('trigger p.1 a', 120), stored('trigger q.1 a')],
        },
        [
          'trigger p.0 b suppressed collected @120 → i/1/trigger/q/2/0/b',
          'trigger p.0 c pending @120',
          'trigger p.0 owners pending @120',
          'trigger p.1 a pending @0',
          'trigger q.1 a suppressed collected @0 → i/1/trigger/p/1/0/a',
          'trigger q.2 b pending @120',
        ],
      ],
      [
        'the fallback does not use a channel that failed before, even if it works again',
        { now: 200, recorded: [unreached('trigger p.1 a', 120)] },
        [
          'trigger p.0 b pending @120',
          'trigger p.0 c pending @120',
          'trigger p.0 owners pending @120',
          'trigger p.1 a pending @0',
        ],
      ],
      [
        'only if all channels of the step failed',
        {
          now: 2,
          policies: [{ ...escalating, steps: [{ afterSeconds: 0, channelIds: ['a', 'c'] }, escalating.steps[1]!] }],
          recorded: [stored('trigger p.1 a', [1, 'refused']), stored('trigger p.1 c', [1, 'sent'])],
        },
        ['look again @300'],
      ],
      [
        'later steps keep their times',
        {
          now: 2,
          policies: [{ ...escalating, steps: [...escalating.steps, { afterSeconds: 600, channelIds: ['c'] }] }],
          recorded: [stored('trigger p.1 a', [1, 'refused']), stored('trigger p.2 b', [1, 'sent'])],
        },
        ['look again @600'],
      ],
      [
        'without a further step, all other channels and the owners are notified',
        {
          now: 2,
          recorded: [stored('trigger p.1 a', [1, 'refused'])],
          channels: channels.map((one) => (one.id === 'b' ? { ...one, failingSince: s(-5) } : one)),
        },
        ['trigger p.0 c pending @1', 'trigger p.0 owners pending @1'],
      ],
      [
        'the fallback waits like a step',
        { now: 130, recorded: [thrice], alert: { acknowledgements: [ack(100, 700)] } },
        [
          'trigger p.0 b held acknowledged @700',
          'trigger p.0 c held acknowledged @700',
          'trigger p.0 owners held acknowledged @700',
          'trigger p.1 a held acknowledged @700',
          'look again @700',
        ],
      ],
      [
        'a channel that another policy notified counts',
        { now: 2, policies: [{ ...policy, id: 'n' }, escalating], recorded: [stored('trigger n.1 a', [1, 'refused'])] },
        [
          'trigger n.0 c pending @1',
          'trigger n.0 owners pending @1',
          'trigger n.0 b suppressed collected @1 → i/1/trigger/p/2/0/b',
          'trigger p.1 a suppressed collected @0 → i/1/trigger/n/1/0/a',
          'trigger p.2 b pending @1',
        ],
      ],
    ])('%s', (_, given, expected) => {
      expect(planOf(given).sort()).toEqual([...expected].sort());
    });
  });

  describe('ends', () => {
    const policies = [escalating];
    const end = resolved(200);
    it.each<[string, Case, string[]]>([
      [
        'a resolve goes where a trigger was sent',
        { now: 200, policies, alert: end, recorded: [SENT] },
        ['resolve p.1 a pending @200', 'trigger p.2 b suppressed resolved_before_step @300'],
      ],
      [
        'where its outcome is unknown',
        { now: 200, alert: end, recorded: [stored('trigger p.1 a', [0, 'unknown'])] },
        ['resolve p.1 a pending @200 replaces', 'trigger p.1 a suppressed collected @0 → i/1/resolve/a'],
      ],
      [
        'and where it was refused',
        { now: 200, alert: end, recorded: [stored('trigger p.1 a', [199, 'refused'])] },
        [
          'resolve p.1 a pending @200 replaces',
          'trigger p.0 b suppressed collected @199 → i/1/resolve/b',
          'trigger p.0 c suppressed collected @199 → i/1/resolve/c',
          'trigger p.0 owners suppressed collected @199 → i/1/resolve/owners',
          'resolve p.0 b pending @200 replaces',
          'resolve p.0 c pending @200 replaces',
          'resolve p.0 owners pending @200 replaces',
        ],
      ],
      [
        'one message replaces both if none was attempted',
        { now: 200, alert: end },
        ['resolve p.1 a pending @200 replaces', 'trigger p.1 a suppressed collected @0 → i/1/resolve/a'],
      ],
      [
        'one message ends the alert on a channel of several policies',
        {
          now: 200,
          policies: [policy, { ...policy, id: 'q', steps: [{ afterSeconds: 60, channelIds: ['a'] }] }],
          alert: end,
          recorded: [SENT, stored('trigger q.1 a', [60, 'sent'])],
        },
        ['resolve p.1 a pending @200'],
      ],
      [
        'a resolve that was sent is not sent again',
        { now: 300, alert: end, recorded: [SENT, stored('resolve p.1 a', [200, 'sent'])] },
        [],
      ],
      [
        'a step held back is suppressed with its reason',
        { now: 200, policies: [quiet], alert: end },
        ['trigger p.1 a suppressed quiet_hours @0'],
      ],
      [
        'so are the steps after it',
        { now: 200, policies: [{ ...escalating, quietHours: quiet.quietHours }], alert: end },
        ['trigger p.1 a suppressed quiet_hours @0', 'trigger p.2 b suppressed quiet_hours @7500'],
      ],
      [
        'quiet hours do not hold back a resolve',
        { now: 200, policies: [quiet], alert: end, recorded: [SENT] },
        ['resolve p.1 a pending @200'],
      ],
      [
        'silences do not either',
        { now: 200, alert: { ...end, silences: [silence(100, 900)] }, recorded: [SENT] },
        ['resolve p.1 a pending @200'],
      ],
      [
        'a disabled policy does not either',
        { now: 200, policies: [{ ...policy, enabled: false }], alert: end, recorded: [SENT] },
        ['resolve p.1 a pending @200'],
      ],
      [
        'a deleted policy does not either',
        { now: 200, policies: [], alert: end, recorded: [SENT] },
        ['resolve p.1 a pending @200'],
      ],
      [
        'a disabled channel does not either',
        { now: 200, channels: disabled('a'), alert: end, recorded: [SENT] },
        ['resolve p.1 a pending @200'],
      ],
      [
        'pausing resolves with that reason',
        { now: 200, policies, alert: { end: { at: s(200), how: 'paused' } }, recorded: [SENT] },
        ['resolve p.1 a pending @200 paused', 'trigger p.2 b suppressed paused @300'],
      ],
      [
        'a child is not reported if it recovers with its parent',
        { now: 200, alert: { ...end, parents: [{ answeredAt: s(1), down: [hold(0, 190, null)] }] } },
        ['trigger p.1 a suppressed parent_down @0'],
      ],
      [
        'an acknowledgement that was not sent yet is collected',
        { now: 200, alert: { ...end, acknowledgements: [ack(100, null)] }, recorded: [SENT] },
        ['acknowledged p.1 a #1 suppressed collected @100 → i/1/resolve/a', 'resolve p.1 a pending @200'],
      ],
      [
        'the end of a notice closes the alert that a channel opened for it',
        { now: 200, ...noticed, channels: closing('a') },
        ['resolve p.1 a pending @200'],
      ],
      ['the end of a notice is no news at any other channel', { now: 200, ...noticed, channels: closing('b') }, []],
      [
        'a notice that was not delivered is not sent after its end, and what the channel may know of it is closed',
        { now: 200, ...noticed, channels: closing('a'), recorded: [stored('notice p.1 a', [0, 'unknown'])] },
        ['notice p.1 a suppressed resolved_before_step @0', 'resolve p.1 a pending @200 replaces'],
      ],
      [
        'a notice that another one continues leaves the alert open',
        {
          ...{ now: 200, ...noticed, channels: closing('a') },
          alert: { event: 'certificate_expiring', end: { at: s(200), how: 'resolved', isReplaced: true } },
        },
        [],
      ],
      [
        'the end of a notice closes what earlier ones have opened, also where it was not sent itself',
        {
          ...{ now: 200, ...noticed, channels: closing('a', 'b') },
          alert: { ...noticed.alert, knownAt: ['a', 'b', 'c'] },
        },
        ['resolve p.1 a pending @200', 'resolve null.1 b pending @200'],
      ],
      [
        'a notice of maintenance has no end',
        { now: 200, ...noticed, alert: { ...noticed.alert, event: 'maintenance' }, channels: closing('a') },
        [],
      ],
      [
        'a retraction sends one correction',
        { now: 200, alert: { retractedAt: s(200) }, recorded: [SENT] },
        ['correction p.1 a pending @200'],
      ],
      [
        'a retraction is silent where nothing was sent',
        { now: 200, alert: { retractedAt: s(200) } },
        ['trigger p.1 a suppressed resolved_before_step @0'],
      ],
      [
        'a retraction replaces a resolve that was not sent yet',
        { now: 250, alert: { ...end, retractedAt: s(250) }, recorded: [SENT, stored('resolve p.1 a')] },
        ['correction p.1 a pending @250', 'resolve p.1 a suppressed collected @250 → i/1/correction/a'],
      ],
      [
        'a retraction after a resolve is reported too',
        { now: 250, alert: { ...end, retractedAt: s(250) }, recorded: [SENT, stored('resolve p.1 a', [200, 'sent'])] },
        ['correction p.1 a pending @250'],
      ],
      [
        'a policy that was changed withdraws what was not sent',
        {
          now: 100,
          policies: [{ ...policy, steps: [{ afterSeconds: 0, channelIds: ['b'] }] }],
          recorded: [stored('trigger p.1 a', [0, 'failed'])],
        },
        ['trigger p.1 a suppressed policy_disabled @100', 'trigger p.1 b pending @0'],
      ],
    ])('%s', (_, given, expected) => {
      expect(planOf(given).sort()).toEqual([...expected].sort());
    });
  });
});
