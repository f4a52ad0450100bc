import { type AnnouncedMaintenance } from '../maintenance/announced-maintenance.service.js';
import { type PublicMaintenanceDto } from './dto/public-maintenance.dto.js';
import { type PagePart } from './public-page.types.js';

/** Returns the public part of maintenance. Lists the members one by one, so that no other data becomes public. */
export function toPublicMaintenance(
  { id, name, description, active, startsAt, endsAt, updatedAt, monitorIds }: AnnouncedMaintenance,
  components: readonly PagePart[],
): PublicMaintenanceDto {
  return {
    id,
    name,
    description,
    active,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    componentIds: components.filter(({ monitorId }) => monitorIds.includes(monitorId)).map((one) => one.id),
  };
}
