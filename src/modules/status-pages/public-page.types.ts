import { type Theme } from './dto/create-status-page.dto.js';
import { type PublicPageDto } from './dto/public-page.dto.js';

/** Days for which resolved incidents are shown, and the maximum number of incidents. */
export const INCIDENT_DAYS = 14;
export const MAX_INCIDENTS = 50;
/** Days in advance for which maintenance is announced. */
export const MAINTENANCE_DAYS = 7;

/** The public content of a page, from which all its forms are rendered. */
export interface PublicPage {
  id: string;
  slug: string;
  theme: Theme;
  createdAt: Date;
  updatedAt: Date;
  view: PublicPageDto;
}
