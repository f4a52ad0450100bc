import { type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';

/** A notification channel, as policies refer to it. */
export interface NamedChannel {
  id: string;
  key: string | null;
  name: string;
  type: string;
  enabled: boolean;
  /** Since when the channel has failed; `null` if it works. */
  failingSince: Date | null;
}

/** Finds the notification channels of teams. Policies depend on it alone, so that channels may depend on policies. */
export abstract class ChannelDirectory {
  /**
   * Returns the channels of the team at these addresses: ids, or `key:<key>`. Addresses without a channel of the team
   * are omitted.
   */
  abstract resolve(teamId: TeamId, addresses: readonly string[]): Promise<Map<string, NamedChannel>>;

  /** Returns all channels of the team. */
  abstract all(teamId: TeamId, tx?: Tx): Promise<NamedChannel[]>;

  /**
   * Prevents the deletion of channels until the end of the transaction. Returns whether all of them still exist.
   */
  abstract hold(tx: Tx, teamId: TeamId, ids: readonly string[]): Promise<boolean>;
}
