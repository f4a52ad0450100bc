import { type Theme } from './dto/create-status-page.dto.js';
import { type PublicPageDto } from './dto/public-page.dto.js';

/** Resolved incidents are told for this long, and not more than so many. */
export const INCIDENT_DAYS = 14;
export const MAX_INCIDENTS = 50;
/** Maintenance is announced for as long ahead. */
export const MAINTENANCE_DAYS = 7;

/** A page as those see it who may: what all forms of it are drawn from. */
export interface PublicPage {
  id: string;
  slug: string;
  theme: Theme;
  createdAt: Date;
  updatedAt: Date;
  view: PublicPageDto;
}
