import { type Message } from './message.js';
import { outlineOf } from './outline.js';

/** How loudly a receiver should announce a message. */
export type Urgency = 'high' | 'normal' | 'low';

/** Returns the urgency: `high` for what is down, `low` for what is over or needs no action. */
export function urgencyOf(message: Message): Urgency {
  const { tone } = outlineOf(message);
  if (message.isTest || message.isDrill) return 'normal';
  return tone === 'bad' ? 'high' : tone === 'warning' ? 'normal' : 'low';
}
