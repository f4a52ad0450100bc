import { type EntityMetadata } from 'typeorm';

/**
 * Returns the columns of an entity as a list for SELECT, aliased to its properties, so that the rows have the shape of
 * the entity without the cost of the query builder. Not for columns that the ORM converts differently from the driver,
 * such as a date without a time.
 */
export function entityColumns({ columns }: EntityMetadata, alias: string): string {
  return columns.map(({ databaseName, propertyName }) => `${alias}."${databaseName}" AS "${propertyName}"`).join(', ');
}
