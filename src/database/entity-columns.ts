import { type EntityMetadata } from 'typeorm';

/**
 * The columns of an entity as a list for SELECT, by their properties: the rows have its shape, without what the query
 * builder costs. Not for columns that the ORM reads otherwise than the driver does, which a date without a time is.
 */
export function entityColumns({ columns }: EntityMetadata, alias: string): string {
  return columns.map(({ databaseName, propertyName }) => `${alias}."${databaseName}" AS "${propertyName}"`).join(', ');
}
