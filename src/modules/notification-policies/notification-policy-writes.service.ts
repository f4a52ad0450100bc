import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { leavesAsIs } from '../../database/leaves-as-is.js';
import { managerOf, Transactions } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { asJson, type JsonObject } from '../../http/body/json.js';
import { readObject } from '../../http/body/validation.js';
import { KEEPS_NOTHING, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { type IfMatch, UNCONDITIONAL } from '../../http/items/if-match.decorator.js';
import { type KeyedResource, KeyedWrites, type PutOutcome } from '../../http/items/keyed-writes.js';
import { type FieldError, notFound, validationFailed } from '../../http/problems/problem.js';
import { EventLog } from '../events/event-log.service.js';
import { TeamLimits } from '../teams/team-limits.service.js';
import { type NotificationPolicyDto } from './dto/notification-policy.dto.js';
import { NotificationPolicy } from './notification-policy.entity.js';
import { NotificationPoliciesService } from './notification-policies.service.js';
import { listedIn, writableFields } from './notification-policy.mapper.js';
import { changesOfPolicy, policyEvent } from './policy-events.js';
import { PolicyReferences } from './policy-references.service.js';
import { keepsMonitors, patchPolicy, type PolicyDefinition, readPolicy, selectsOthers } from './policy-write.js';

const RESOURCE: KeyedResource = { noun: 'notification policy', keyConstraint: 'notification_policies_team_key' };

const LISTED_ARE_DELETED: FieldError = {
  pointer: '/match/monitorIds',
  code: 'required',
  detail:
    'All monitors in this list have been deleted. List others, or omit monitorIds to select all monitors that notTags does not exclude.',
};

/** Writes notification policies for callers. */
@Injectable()
export class NotificationPolicyWritesService {
  constructor(
    private readonly policies: NotificationPoliciesService,
    private readonly references: PolicyReferences,
    private readonly transactions: Transactions,
    private readonly keyed: KeyedWrites,
    private readonly limits: TeamLimits,
    private readonly events: EventLog,
  ) {}

  /** Creates a policy. @throws 422, 409 `key_taken` */
  async create(teamId: TeamId, body: unknown, keep: KeepAnswer = KEEPS_NOTHING): Promise<NotificationPolicyDto> {
    const sent = readObject(body);
    return this.keyed.untilWritten(RESOURCE, async () => this.insert(teamId, await this.accept(teamId, sent), keep));
  }

  /**
   * Stores a whole definition: replaces the policy at the address or, with `key:<key>`, creates it. Of concurrent
   * writers, the last one wins. @throws 404, 412, 422, 409
   */
  put(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
  ): Promise<PutOutcome<NotificationPolicyDto>> {
    return this.keyed.put(
      RESOURCE,
      { address, body, ifMatch },
      {
        find: () => this.policies.findOrNull(teamId, address),
        replace: async (found, sent) => this.replace(teamId, found, await this.accept(teamId, sent, { stored: found })),
        create: async (sent) => this.insert(teamId, await this.accept(teamId, sent), KEEPS_NOTHING),
      },
    );
  }

  /** Applies a merge patch (RFC 7396) and validates the result like a create. @throws 404, 412, 422, 409 */
  async update(
    teamId: TeamId,
    address: string,
    body: unknown,
    ifMatch: IfMatch = UNCONDITIONAL,
  ): Promise<NotificationPolicyDto> {
    const { id } = await this.policies.find(teamId, address);
    return this.keyed.untilWritten(RESOURCE, async () => {
      const found = await this.policies.find(teamId, id);
      ifMatch.assert(found.revision);
      const patch = readObject(body);
      const keeps = keepsMonitors(patch);
      const listed = keeps ? listedIn(found.match) : await this.references.existing(teamId, [found.match]);
      const merged = patchPolicy(asJson(writableFields(found, listed)), patch);
      return this.replace(teamId, found, await this.accept(teamId, merged, { stored: found, keepsMonitors: keeps }));
    });
  }

  /** Deletes a policy. What it has notified of still ends with a recovery. @throws 404, 412 */
  async remove(teamId: TeamId, address: string, ifMatch: IfMatch = UNCONDITIONAL): Promise<void> {
    const { id, revision } = await this.policies.find(teamId, address);
    ifMatch.assert(revision);
    await this.transactions.run(async (tx) => {
      const locked = await this.lock(managerOf(tx), teamId, id);
      if (!locked) throw notFound();
      ifMatch.assert(locked.revision);
      await managerOf(tx).delete(NotificationPolicy, { id, teamId });
      await this.events.record(tx, [policyEvent('notification_policy.deleted', locked)]);
    });
  }

  /** Returns `null` if a channel of the policy was deleted first. */
  private insert(teamId: TeamId, written: PolicyDefinition, keep: KeepAnswer): Promise<NotificationPolicyDto | null> {
    return this.keyed.run(RESOURCE, async (tx) => {
      if (!(await this.references.hold(tx, teamId, written))) return null;
      const now = new Date();
      const times = { activeSince: now, createdAt: now, updatedAt: now };
      const policy: NotificationPolicy = { ...written, ...times, id: uuidv7(), teamId, revision: 1 };
      await this.limits.assertRoom(tx, teamId, 'MAX_NOTIFICATION_POLICIES_PER_TEAM', NotificationPolicy, { teamId });
      await managerOf(tx).insert(NotificationPolicy, policy);
      await this.events.record(tx, [policyEvent('notification_policy.created', policy)], now.getTime());
      const [answer] = await this.policies.shown(teamId, [policy], tx);
      await keep.in(tx, answer!);
      return answer!;
    });
  }

  /** Returns `null` if another write came first, or the deletion of a channel. */
  private replace(teamId: TeamId, { id, revision }: NotificationPolicy, written: PolicyDefinition) {
    return this.keyed.run(RESOURCE, async (tx) => {
      const policy = await this.lock(managerOf(tx), teamId, id);
      if (policy?.revision !== revision || !(await this.references.hold(tx, teamId, written))) return null;
      const now = new Date();
      const activeSince = written.enabled && !policy.enabled ? now : policy.activeSince;
      const changes = { ...written, activeSince, revision: revision + 1, updatedAt: now };
      const changed = leavesAsIs(policy, written) ? policy : { ...policy, ...changes };
      if (changed !== policy) {
        await managerOf(tx).update(NotificationPolicy, { id, teamId }, changes);
        const edits = changesOfPolicy(policy, changed);
        await this.events.record(tx, [policyEvent('notification_policy.updated', changed, edits)], now.getTime());
      }
      const [answer] = await this.policies.shown(teamId, [changed], tx);
      return answer!;
    });
  }

  private lock(manager: ReturnType<typeof managerOf>, teamId: TeamId, id: string): Promise<NotificationPolicy | null> {
    return manager.findOne(NotificationPolicy, { where: { id, teamId }, lock: { mode: 'pessimistic_write' } });
  }

  /**
   * Validates a whole definition and resolves what it refers to, except the monitors of the stored policy that it
   * keeps. @throws 422
   */
  private async accept(
    teamId: TeamId,
    body: JsonObject,
    { stored = null, keepsMonitors = false }: { stored?: NotificationPolicy | null; keepsMonitors?: boolean } = {},
  ): Promise<PolicyDefinition> {
    const { policy, errors } = readPolicy(body);
    if (!policy) throw validationFailed(errors);
    if (stored && selectsOthers(body, policy.match, stored.match)) {
      const existing = await this.references.existing(teamId, [stored.match]);
      if (existing.size === 0) throw validationFailed([LISTED_ARE_DELETED]);
    }
    return this.references.resolve(teamId, policy, { keepsMonitors });
  }
}
