import { Controller, Get, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { readConfig } from '../src/config/app-config.js';
import { EmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { migrate } from '../src/database/migrate.js';
import { loadSecretKey } from '../src/database/secret-key.js';
import { Public, RequireScope } from '../src/http/auth/access.decorators.js';
import { CurrentTeam, type TeamId } from '../src/http/auth/principal.js';
import { Monitor } from '../src/modules/monitors/definition/monitor.entity.js';
import { firstKey, listen, serve } from './service.js';

/** About as large as the response for a monitor. */
const ANSWER = { id: '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55', text: 'x'.repeat(1_200) };

@Controller('v1/bench')
class BareController {
  @Get('bare')
  @Public()
  bare(): object {
    return ANSWER;
  }
}

/** Routes between a bare and a real one, to measure the cost of each convention. */
@Controller('v1/bench')
class StepsController {
  constructor(private readonly dataSource: DataSource) {}

  @Get('guarded')
  @RequireScope('read')
  guarded(): object {
    return ANSWER;
  }

  @Get('by-id/:id')
  @RequireScope('read')
  async byId(@Param('id') id: string): Promise<object> {
    await this.dataSource.getRepository(Monitor).findOneBy({ id });
    return ANSWER;
  }

  @Get('by-team/:id')
  @RequireScope('read')
  async byTeam(@CurrentTeam() teamId: TeamId, @Param('id') id: string): Promise<object> {
    await this.dataSource.getRepository(Monitor).findOneBy({ teamId, id });
    return ANSWER;
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

/**
 * Serves a bare Nest application, and the service without and with a rate limit, on a separate embedded database with
 * fsync on. Prints their addresses as JSON on one line, and exits when its standard input ends.
 */
const [dataDir = ''] = process.argv.slice(2);
const settings = readConfig({ DATA_DIR: dataDir });
const database = await EmbeddedPostgres.start({ dataDir });
await migrate(database.url);
const secretKey = await loadSecretKey(settings);
const bare = await NestFactory.create<NestExpressApplication>(BareModule, { logger: false });
const key = await firstKey(database.url, secretKey, dataDir);
const service = (rateLimit: string) =>
  serve({
    databaseUrl: database.url,
    secretKey,
    settings: { RATE_LIMIT_PER_MINUTE: rateLimit },
    controllers: [BareController, StepsController],
  });
const unlimited = await service('0');
const limited = await service('100000000');
const addresses = {
  bare: await listen(bare),
  unlimited: unlimited.origin,
  limited: limited.origin,
  key,
};
process.stdout.write(`${JSON.stringify(addresses)}\n`);
process.stdin.resume();
process.stdin.on('end', () => {
  void Promise.all([bare.close(), unlimited.app.close(), limited.app.close()])
    .then(() => database.stop())
    .then(() => process.exit(0));
});
