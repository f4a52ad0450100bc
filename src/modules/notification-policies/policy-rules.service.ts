import { Injectable } from '@nestjs/common';
import { type PolicyRule } from '../../domain/notification-plan/policy.js';
import { type TeamId } from '../../http/auth/principal.js';
import { jsonPointer } from '../../http/body/json.js';
import { ProblemException, validationFailed } from '../../http/problems/problem.js';
import { type CreateNotificationPolicyDto } from './dto/create-notification-policy.dto.js';
import { NotificationPoliciesService } from './notification-policies.service.js';
import { toRule } from './notification-policy.mapper.js';
import { PolicyReferences } from './policy-references.service.js';
import { definitionOf, policyFaults } from './policy-write.js';

/** No stored policy has this id. */
export const UNSAVED_POLICY = '00000000-0000-0000-0000-000000000000';

/** Reads policies as plans need them, also policies that are not stored. */
@Injectable()
export class PolicyRules {
  constructor(
    private readonly policies: NotificationPoliciesService,
    private readonly references: PolicyReferences,
  ) {}

  /** Returns all stored policies, disabled ones included. */
  async all(teamId: TeamId): Promise<PolicyRule[]> {
    return (await this.policies.all(teamId)).map(toRule);
  }

  /** Returns the stored policy at an address. @throws 422 by `/policyId` */
  async stored(teamId: TeamId, policyId: string): Promise<PolicyRule> {
    const policy = await this.policies.findOrNull(teamId, policyId);
    if (policy) return toRule(policy);
    const detail = 'There is no such policy.';
    throw validationFailed([{ pointer: '/policyId', code: 'invalid_value', detail }]);
  }

  /** Returns the policy in the member `policy` of a body. @throws 422 by pointer */
  async unsaved(teamId: TeamId, policy: CreateNotificationPolicyDto): Promise<PolicyRule> {
    const errors = policyFaults(policy);
    if (errors.length > 0) throw validationFailed(within(errors));
    try {
      const definition = await this.references.resolve(teamId, definitionOf(policy));
      return toRule({ ...definition, id: UNSAVED_POLICY, activeSince: new Date(0) });
    } catch (error) {
      if (error instanceof ProblemException && error.errors) throw validationFailed(within(error.errors));
      throw error;
    }
  }
}

/** Returns the errors of a policy as those of the body that contains it. */
function within<E extends { pointer?: string }>(errors: readonly E[]): E[] {
  return errors.map((error) => ({ ...error, pointer: `${jsonPointer(['policy'])}${error.pointer ?? ''}` }));
}
