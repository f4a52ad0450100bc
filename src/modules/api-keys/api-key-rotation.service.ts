import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../database/secret-box.js';
import { managerOf, Transactions } from '../../database/tx.js';
import { type KeepAnswer, KEEPS_NOTHING } from '../../http/idempotency/keep-answer.js';
import { type IfMatch, UNCONDITIONAL } from '../../http/items/if-match.decorator.js';
import { type TeamId } from '../../http/auth/principal.js';
import { ProblemException } from '../../http/problems/problem.js';
import { validateBody } from '../../http/body/validation.js';
import { EventLog } from '../events/event-log.service.js';
import { MembersService } from '../teams/members.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { storedSecret } from './api-key-credential.js';
import { assertWithin, isActive } from './api-key-definition.js';
import { rotated } from './api-key-rotation.js';
import { keyEvent } from './api-key-events.js';
import { assertOwnKey, callersGrant, writableKey } from './api-key-rows.js';
import { newSecret } from './api-key-secret.js';
import { ApiKeyVerifierService } from './api-key-verifier.service.js';
import { ApiKey } from './api-key.entity.js';
import { toApiKeyDto } from './api-key.mapper.js';
import { type ApiKeyWithSecretDto } from './dto/api-key.dto.js';
import { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';
import { type KeyWriter } from './key-writer.types.js';

export interface RotationTerms {
  ifMatch?: IfMatch;
  keep?: KeepAnswer;
  /** Epoch milliseconds. */
  now?: number;
}

/** Rotates API keys. */
@Injectable()
export class ApiKeyRotationService {
  constructor(
    private readonly transactions: Transactions,
    private readonly teams: TeamsService,
    private readonly members: MembersService,
    private readonly box: SecretBox,
    private readonly verifier: ApiKeyVerifierService,
    private readonly events: EventLog,
  ) {}

  /**
   * Gives a key a new secret, which only the return value contains; `rotated` defines what happens to the old one. A
   * secret that is no longer accepted is refused by this process immediately, and everywhere within 1 s. Throws 404 for
   * a revoked key, 412 for another revision, 403 if the key exceeds the caller's own scopes or expiry or is not theirs
   * to change, and 409 for an expired key.
   */
  async rotate(
    teamId: TeamId,
    caller: KeyWriter,
    id: string,
    body: unknown,
    { ifMatch = UNCONDITIONAL, keep = KEEPS_NOTHING, now = Date.now() }: RotationTerms = {},
  ): Promise<ApiKeyWithSecretDto> {
    const secret = newSecret();
    const key = await this.transactions.run(async (tx) => {
      await this.teams.lock(tx, teamId);
      const own = await callersGrant(tx, this.members, teamId, caller, now);
      const before = await writableKey(tx, teamId, id);
      assertOwnKey(caller, own, before);
      ifMatch.assert(before.revision);
      const { overlapSeconds } = validateBody(RotateApiKeyDto, body);
      assertWithin(own, before);
      if (!isActive(before, now)) throw expired();
      const request = { overlapSeconds: overlapSeconds ?? 0, askedBy: 'userId' in caller ? null : caller.prefix };
      const changes = {
        ...rotated(before, { ...storedSecret(this.box, secret), shownTo: own.holder }, request, now),
        revision: before.revision + 1,
      };
      await managerOf(tx).update(ApiKey, { teamId, id }, changes);
      await this.events.record(tx, [keyEvent('api_key.rotated', { ...before, ...changes })], now);
      const shown = toApiKeyDto({ ...before, ...changes }, now);
      await keep.in(tx, { ...shown, secret: null });
      return shown;
    });
    this.verifier.forgetAll();
    return { ...key, secret };
  }
}

function expired(): ProblemException {
  const detail =
    'The key has expired, so a new secret would be rejected, too. Extend the expiry first, or create a new key.';
  return new ProblemException(409, 'key_expired', detail);
}
