import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

/** Inserts an API key without a usable secret, in a new team. Returns the key's id. */
export async function makeKeyRow(source: DataSource): Promise<string> {
  const id = uuidv7();
  await source.query(
    `WITH team AS (INSERT INTO teams (id, name) VALUES ($1, 'Team'))
     INSERT INTO api_keys (id, team_id, name, prefix, secret_hash, scopes, created_by)
     SELECT id, id, 'Key', id, '', '{}', 'x' FROM (SELECT $1::uuid AS id) AS one`,
    [id],
  );
  return id;
}
