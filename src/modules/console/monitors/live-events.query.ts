import { IsOptional, IsUUID } from 'class-validator';
import { QueryBoolean, QueryInt, QueryList } from '../../../http/lists/query.decorators.js';

/** The last moment that a `Date` can represent. */
const LAST_MS = 8_640_000_000_000_000;
/** More monitors than a page of the list has. */
const MAX_WATCHED = 50;

/** The updates that an open page requests. */
export class LiveEventsQuery {
  /** The team of the page. The session may have switched to another one meanwhile. */
  @IsUUID()
  team: string;

  /** The monitors that the page shows. */
  @QueryList({ maxItems: MAX_WATCHED })
  @IsUUID(undefined, { each: true })
  id?: string[];

  /** Epoch milliseconds. Requests the number of monitors created later. */
  @IsOptional()
  @QueryInt({ min: 0, max: LAST_MS })
  since?: number;

  /** Requests the number of the team's monitors in each state. */
  @QueryBoolean()
  counts?: boolean;

  /** Requests the figures, newest checks and incidents, if the page shows a single monitor. */
  @QueryBoolean()
  evidence?: boolean;
}
