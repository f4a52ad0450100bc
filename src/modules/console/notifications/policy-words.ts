import { exactDuration } from '../../../html/time-text.js';
import { type NotificationPolicyDto } from '../../notification-policies/dto/notification-policy.dto.js';

/** Returns what a policy does, in a sentence: `Monitors tagged production: Ops at once, On call after 5 minutes.` */
export function policySentence(policy: NotificationPolicyDto, channelNames: ReadonlyMap<string, string>): string {
  const steps = policy.steps.map(({ afterSeconds, channelIds }) => {
    const names = channelIds.map((id) => channelNames.get(id) ?? 'a deleted channel').join(' and ');
    return `${names} ${afterSeconds === 0 ? 'at once' : `after ${exactDuration(afterSeconds * 1_000)}`}`;
  });
  const escalates = policy.steps.length > 1 ? ' unless somebody acknowledges' : '';
  const repeats =
    policy.repeatEverySeconds === null ? '' : `, again every ${exactDuration(policy.repeatEverySeconds * 1_000)}`;
  return `${matchWords(policy.match)}: ${steps.join(', ')}${escalates}${repeats}.`;
}

function matchWords({ all, monitorIds, tags, allTags, notTags, types }: NotificationPolicyDto['match']): string {
  const selected = [
    tags.length > 0 ? `tagged ${tags.join(' or ')}` : null,
    allTags.length > 0 ? `tagged ${allTags.join(' and ')}` : null,
    types.length > 0 ? `of type ${types.join(' or ')}` : null,
  ].filter((one) => one !== null);
  const parts: string[] = [];
  if (monitorIds.length > 0) parts.push(monitorIds.length === 1 ? '1 monitor' : `${monitorIds.length} monitors`);
  if (selected.length > 0) parts.push(`monitors ${selected.join(', ')}`);
  const words = all || parts.length === 0 ? 'all monitors' : parts.join(' and ');
  const except = notTags.length > 0 ? `, except those tagged ${notTags.join(' or ')}` : '';
  return words.charAt(0).toUpperCase() + words.slice(1) + except;
}
