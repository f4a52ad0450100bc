import { type TeamId } from '../../http/auth/principal.js';
import { type Theme } from './dto/create-status-page.dto.js';
import { type PublicPageDto } from './dto/public-page.dto.js';
import { type StatusPageComponent } from './status-page-component.entity.js';

/** A component and its monitor. */
export type PagePart = Pick<StatusPageComponent, 'id' | 'name' | 'monitorId'>;

/** Days for which resolved incidents are shown, and the maximum number of incidents, open ones first. */
export const INCIDENT_DAYS = 14;
export const MAX_INCIDENTS = 50;
/** Maximum number of incidents, and of periods of maintenance, that a month of the history shows. */
export const MAX_IN_MONTH = 100;
/** Days in advance for which maintenance is announced. */
export const MAINTENANCE_DAYS = 7;

/** The public content of a page, from which all its forms are rendered. Only `view` is public. */
export interface PublicPage {
  id: string;
  slug: string;
  teamId: TeamId;
  /** The components with their monitors, to look up more about them. */
  parts: readonly PagePart[];
  theme: Theme;
  /** Whether visitors can subscribe by email. */
  acceptsSubscribers: boolean;
  createdAt: Date;
  updatedAt: Date;
  view: PublicPageDto;
}
