import { Injectable } from '@nestjs/common';
import { type Tx } from '../../database/tx.js';
import { type PolicyMatch, type PolicyStep } from '../../domain/notification-plan/policy.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type FieldError, validationFailed } from '../../http/problems/problem.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { ChannelDirectory, type NamedChannel } from './channel-directory.service.js';
import { listedIn } from './notification-policy.mapper.js';
import { type PolicyDefinition } from './policy-write.js';

/** Resolves what policies and silences refer to. */
@Injectable()
export class PolicyReferences {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly directory: ChannelDirectory,
  ) {}

  /**
   * Returns a policy with ids in place of addresses. Stored monitors that it keeps are not resolved again, because they
   * may have been deleted. @throws 422 by pointer for an unknown address or a duplicate
   */
  async resolve(teamId: TeamId, policy: PolicyDefinition, { keepsMonitors = false } = {}): Promise<PolicyDefinition> {
    const errors: FieldError[] = [];
    const match = keepsMonitors ? policy.match : await this.resolveMatch(teamId, policy.match, errors);
    const steps = await this.resolveSteps(teamId, policy.steps, errors);
    if (errors.length > 0) throw validationFailed(errors);
    return { ...policy, match, steps };
  }

  /** Returns a match with ids in place of addresses. @throws 422 by pointer */
  async match(teamId: TeamId, match: PolicyMatch): Promise<PolicyMatch> {
    const errors: FieldError[] = [];
    const resolved = await this.resolveMatch(teamId, match, errors);
    if (errors.length > 0) throw validationFailed(errors);
    return resolved;
  }

  /** Returns the channels of the team, by id. */
  async channels(teamId: TeamId, tx?: Tx): Promise<Map<string, NamedChannel>> {
    const all = await this.directory.all(teamId, tx);
    return new Map(all.map((channel) => [channel.id, channel]));
  }

  /** Prevents the deletion of the channels of a policy until it is stored. Returns whether all of them still exist. */
  hold(tx: Tx, teamId: TeamId, { steps }: PolicyDefinition): Promise<boolean> {
    const ids = steps.flatMap(({ channelIds }) => channelIds);
    return this.directory.hold(tx, teamId, ids);
  }

  /** Returns the ids of the monitors in these matches that exist. */
  async existing(teamId: TeamId, matches: readonly PolicyMatch[], tx?: Tx): Promise<Set<string>> {
    const ids = new Set(matches.flatMap((match) => [...listedIn(match)]));
    return new Set(ids.size === 0 ? [] : (await this.monitors.tags(teamId, [...ids], tx)).keys());
  }

  private async resolveMatch(teamId: TeamId, match: PolicyMatch, errors: FieldError[]): Promise<PolicyMatch> {
    if ('all' in match || !match.monitorIds?.length) return match;
    const found = await this.monitors.resolve(teamId, match.monitorIds);
    const pointer = '/match/monitorIds';
    return { ...match, monitorIds: idsOf(match.monitorIds, found, { noun: 'monitor', pointer, errors }) };
  }

  private async resolveSteps(teamId: TeamId, steps: readonly PolicyStep[], errors: FieldError[]) {
    const addresses = [...new Set(steps.flatMap(({ channelIds }) => channelIds))];
    const found = await this.directory.resolve(teamId, addresses);
    return steps.map(({ afterSeconds, channelIds }, index) => {
      const pointer = `/steps/${index}/channelIds`;
      return { afterSeconds, channelIds: idsOf(channelIds, found, { noun: 'channel', pointer, errors }) };
    });
  }
}

/** Returns the ids at addresses, and adds an error for each that is unknown or has an id that came before. */
function idsOf(
  addresses: readonly string[],
  found: ReadonlyMap<string, { id: string }>,
  { noun, pointer, errors }: { noun: string; pointer: string; errors: FieldError[] },
): string[] {
  const ids = new Set<string>();
  for (const [index, address] of addresses.entries()) {
    const at = `${pointer}/${index}`;
    const id = found.get(address)?.id;
    if (id === undefined) errors.push({ pointer: at, code: 'invalid_value', detail: `There is no such ${noun}.` });
    else if (ids.has(id)) errors.push({ pointer: at, code: 'duplicate', detail: `This ${noun} is listed twice.` });
    else ids.add(id);
  }
  return [...ids];
}
