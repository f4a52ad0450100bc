import { type TestApp } from '../support/app.js';
import { type Page } from '../../src/http/lists/page.js';
import { type ApiKeyWithSecretDto } from '../../src/modules/api-keys/dto/api-key.dto.js';
import { TEAM_NAMES } from './marks.js';
import { type Json, type World } from './world.js';

const KIND = '/v1/api-keys';

/** Creates a key per team that no drawn request changes, and adds the existing keys to the model. */
export async function makeRootKeys(app: TestApp, world: World): Promise<void> {
  for (const team of TEAM_NAMES) {
    const { admin, write, read, id } = app.teams[team];
    world.marks.own(id, team, 'teams');
    const api = app.api(admin);
    const { body: root } = await api.post<ApiKeyWithSecretDto>(KIND, { name: 'Root', scopes: ['admin'] });
    const { body: page } = await api.get<Page<ApiKeyWithSecretDto>>(KIND);
    for (const key of page.data) {
      const item = world.add(KIND, team, key as unknown as Json);
      const secret = [root.secret, admin, write, read].find((one) => one?.startsWith(key.prefix));
      if (secret) world.addSecret(secret, item);
      item.isRoot = key.id === root.id;
    }
  }
}
