import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type TeamId } from '../../../http/auth/principal.js';
import { DefinitionSecretsService } from '../definition/definition-secrets.service.js';

/** Knows the addresses to which jobs report. Whoever has one can report, so monitors are read with a mask in it. */
@Injectable()
export class PingAddressesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: DefinitionSecretsService,
  ) {}

  /** Returns the tokens of those of these monitors of the team that wait for reports, by id. */
  async tokens(teamId: TeamId, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows: { id: string; type: string; definition: object }[] = await this.dataSource.query(
      `SELECT m.id, m.type, m.definition FROM monitors m JOIN heartbeats h ON h.monitor_id = m.id
       WHERE m.team_id = $1 AND m.id = ANY($2::uuid[])`,
      [teamId, ids],
    );
    return new Map(
      rows.map(({ id, type, definition }) => [id, this.secrets.open(type, definition).token as string] as const),
    );
  }

  /** Returns the address of a monitor that was read with a mask; `null` if it does not wait for reports. */
  async of(teamId: TeamId, { id, pingUrl }: { id: string; pingUrl: string | null }): Promise<string | null> {
    return pingUrl && withToken(pingUrl, (await this.tokens(teamId, [id])).get(id));
  }
}

/** Returns an address with the token in place of the mask. */
export function withToken(pingUrl: string, token: string | undefined): string {
  return token === undefined ? pingUrl : pingUrl.slice(0, pingUrl.lastIndexOf('/') + 1) + token;
}
