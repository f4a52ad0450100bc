import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../../../http/auth/principal.js';
import { type ExclusionDto, type ListExclusionsQuery } from '../../../exclusions/dto/exclusion.dto.js';
import { ExclusionsService } from '../../../exclusions/exclusions.service.js';
import { AuthorNames } from '../../author-names.service.js';
import { type People } from '../../author-words.js';
import { evidenceStart } from '../detail-evidence.service.js';

/** The number of exclusions that the page of a monitor shows. */
const LATEST_SHOWN = 5;

/** A page of exclusions, and the names of their authors. */
export interface ShownExclusions {
  exclusions: readonly ExclusionDto[];
  nextCursor: string | null;
  people: People;
}

/** Reads exclusions and the names of their authors, with a fixed number of queries. */
@Injectable()
export class ShownExclusionsService {
  constructor(
    private readonly exclusions: ExclusionsService,
    private readonly authors: AuthorNames,
  ) {}

  /** Returns the latest exclusions from the days that the page of a monitor shows. */
  latest(teamId: TeamId, monitorId: string, nowMs: number): Promise<ShownExclusions> {
    const from = new Date(evidenceStart(nowMs)).toISOString();
    return this.list(teamId, { monitorId, from, limit: LATEST_SHOWN });
  }

  /** Lists exclusions, newest first. @throws 400 `invalid_cursor` */
  async list(teamId: TeamId, query: ListExclusionsQuery): Promise<ShownExclusions> {
    const { data, nextCursor } = await this.exclusions.list(teamId, query);
    const people = await this.authors.of(
      teamId,
      data.map(({ createdBy }) => createdBy),
    );
    return { exclusions: data, nextCursor, people };
  }
}
