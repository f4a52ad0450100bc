import { IsOptional, IsUUID } from 'class-validator';
import { QueryBoolean, QueryInt, QueryList } from '../../../http/lists/query.decorators.js';

/** The last moment that there is a date for. */
const LAST_MS = 8_640_000_000_000_000;
/** More than a page of the list has. */
const MAX_WATCHED = 50;

/** What an open page wants to be told. */
export class LiveEventsQuery {
  /** The team that the page is of: a session may look at another one meanwhile. */
  @IsUUID()
  team: string;

  /** The monitors that the page shows. */
  @QueryList({ maxItems: MAX_WATCHED })
  @IsUUID(undefined, { each: true })
  id?: string[];

  /** Epoch milliseconds: tell of monitors that were made later. */
  @IsOptional()
  @QueryInt({ min: 0, max: LAST_MS })
  since?: number;

  /** Tell how many monitors of the team are in each state. */
  @QueryBoolean()
  counts?: boolean;

  /** Tell the figures, the newest checks and the incidents, too, where the page is of one monitor alone. */
  @QueryBoolean()
  evidence?: boolean;
}
