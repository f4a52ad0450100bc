import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../src/config/app-config.js';
import { ROLES } from '../src/config/roles.js';
import { type Environment, expectComplete, SECRETS, source } from './support/deployment.js';

describe('compose.yaml', () => {
  interface Service {
    image: string;
    profiles?: string[];
    deploy?: { replicas: string | number };
    environment?: Environment;
    env_file?: { path: string; required: boolean }[];
    healthcheck?: { test: string[] };
    restart?: string;
    stop_grace_period?: string;
    networks?: string[];
    volumes?: string[];
    ports?: string[];
    depends_on?: Record<string, { condition: string }>;
  }
  interface Compose {
    services: Record<string, Service>;
    volumes: object;
    networks: object;
  }

  /** Replaces `${NAME:-default}` as Docker Compose does, innermost first. Fails if a variable has no default. */
  function interpolated(text: string, variables: Environment): string {
    const replaced = text.replace(
      /(?<!\$)\$\{(\w+):([-?])([^${}]*)\}/g,
      (_, name: string, kind: string, other: string) => {
        if (!variables[name] && kind === '?') throw new Error(`${name}: ${other}`);
        return variables[name] || other;
      },
    );
    if (replaced !== text) return interpolated(replaced, variables);
    if (text.replaceAll('$$', '').includes('$')) throw new Error(`a variable without a default: ${text}`);
    return text.replaceAll('$$', '$');
  }
  const read = async (variables: Environment): Promise<Compose> => {
    const resolved = (node: unknown): unknown => {
      if (typeof node === 'string') return interpolated(node, variables);
      if (typeof node !== 'object' || node === null) return node;
      if (Array.isArray(node)) return node.map(resolved);
      return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(value)]));
    };
    const compose = resolved(parse(await source('compose.yaml'), { merge: true })) as Compose;
    for (const service of Object.values(compose.services)) {
      const entries = Object.entries(service.environment ?? {});
      service.environment = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
    }
    return compose;
  };
  const READY = [
    ...['CMD', 'node', '-e'],
    "fetch('http://127.0.0.1:3000/readyz') .then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))",
  ];
  const isOurs = ({ image }: Service): boolean => image === 'daywatch';
  const active = ({ services }: Compose, profile?: string): [string, Service][] =>
    Object.entries(services).filter(([, { profiles }]) => !profiles || (profile && profiles.includes(profile)));
  const REQUIRED = { POSTGRES_PASSWORD: 'p' };
  const SCALE = {
    ...REQUIRED,
    ...{ ONE_PROCESS: '0', REDIS_PASSWORD: 'r', LOCATION_KEY: SECRETS.LOCATION_KEY },
  };

  it('starts one process with all roles and its database if no profile is chosen', async () => {
    const services = Object.fromEntries(active(await read(REQUIRED)));
    expect(Object.keys(services).sort()).toEqual(['daywatch', 'postgres']);
    const { environment, deploy, ports } = services.daywatch!;
    expect(Number(deploy!.replicas)).toBe(1);
    expect(ports).toEqual(['127.0.0.1:3000:3000']);
    const config = readConfig(environment);
    expect(config.get('ROLES')).toEqual(ROLES);
    expect(config.isShared).toBe(false);
  });

  it('has the port on the host in links, unless PUBLIC_URL is set', async () => {
    const linksOf = async (variables: Environment): Promise<string[]> => {
      const { daywatch, api } = (await read({ ...SCALE, ...variables })).services;
      return [daywatch, api].map((service) => readConfig(service!.environment).origin);
    };
    expect(await linksOf({ PORT: '8080' })).toEqual(['http://127.0.0.1:8080', 'http://127.0.0.1:8080']);
    const url = 'https://daywatch.example.com';
    expect(await linksOf({ PORT: '8080', PUBLIC_URL: url })).toEqual([url, url]);
  });

  it('requires a password of the database, and nothing else', async () => {
    await expect(read({})).rejects.toThrow('POSTGRES_PASSWORD: set it in .env');
  });

  it('starts processes of every role with the profile `scale`, in place of the one', async () => {
    const compose = await read(SCALE);
    const files: Record<string, Environment> = {
      '.env': { SECRET_KEY: SECRETS.SECRET_KEY },
      'eu-west.env': { LOCATION_KEY: SECRETS.LOCATION_KEY, REDIS_URL: SECRETS.REDIS_URL },
    };
    const processes = active(compose, 'scale')
      .filter(([, service]) => isOurs(service))
      .map(([, { environment, env_file: paths = [], deploy }]) => ({
        environment: Object.assign({}, ...paths.map(({ path }) => files[path]!), environment) as Environment,
        replicas: Number(deploy?.replicas ?? 1),
      }));
    expectComplete(processes.filter(({ replicas }) => replicas > 0));
    const proxied = processes.find(({ environment }) => environment.ROLES === 'api');
    expect(readConfig(proxied!.environment).get('TRUST_PROXY')).toBe(1);
  });

  it('gives every process of the profile a health check, a restart, and time to stop', async () => {
    const { services } = await read(SCALE);
    for (const [name, service] of Object.entries(services).filter(([, { profiles }]) => profiles)) {
      expect({ name, profiles: service.profiles, restart: service.restart }).toEqual({
        ...{ name, profiles: ['scale'], restart: 'unless-stopped' },
      });
      expect(Number.parseInt(service.stop_grace_period!)).toBeGreaterThanOrEqual(10);
      if (isOurs(service)) expect(service.healthcheck!.test).toEqual(READY);
    }
  });

  it('keeps workers away from the database and its settings', async () => {
    const compose = await read(SCALE);
    const workers = Object.values(compose.services).filter(({ environment }) => environment?.ROLES === 'worker');
    expect(workers).toHaveLength(2);
    for (const { networks, env_file: paths = [] } of workers) {
      expect(networks).toEqual(['workers']);
      expect(paths.map(({ path }) => path)).not.toContain('.env');
    }
    expect(compose.services.postgres!.networks).toBeUndefined();
    expect(compose.services.redis!.networks).toEqual(['default', 'workers']);
  });

  it('gives workers the settings in `.env` that they use', async () => {
    const used = {
      ALLOW_PRIVATE_TARGETS: '10.0.0.0/8',
      CANARY_TARGETS: '192.0.2.1:443',
      RDAP_BOOTSTRAP_URL: 'https://rdap.example.com/dns.json',
      METRICS_TOKEN: 'a token',
      METRICS_PORT: '9464',
      LOG_LEVEL: 'debug',
    };
    const { services } = await read({ ...SCALE, ...used });
    for (const name of ['worker', 'worker-eu-west']) expect(services[name]!.environment).toMatchObject(used);
  });

  it('gives each recorder a data folder of its own, and refers only to volumes, networks and services that exist', async () => {
    const compose = await read(SCALE);
    const recorders = Object.values(compose.services).filter(({ environment }) => environment?.ROLES === 'recorder');
    const folders = recorders.map(({ volumes, deploy }) => {
      expect(deploy).toBeUndefined();
      return volumes!.find((volume) => volume.endsWith(':/data'))!;
    });
    expect(new Set(folders).size).toBe(recorders.length);
    for (const { volumes = [], networks = [], depends_on: others = {} } of Object.values(compose.services)) {
      const named = volumes.map((volume) => volume.split(':')[0]!).filter((name) => !name.startsWith('./'));
      for (const name of named) expect(Object.keys(compose.volumes)).toContain(name);
      for (const name of networks) expect(Object.keys(compose.networks)).toContain(name);
      for (const name of Object.keys(others)) expect(Object.keys(compose.services)).toContain(name);
    }
  });

  it('runs Redis so that it never removes keys, and does not start without a password', async () => {
    const { redis } = (await read(SCALE)).services as unknown as Record<string, { command: string[] }>;
    const script = redis!.command.at(-1)!;
    expect(script).toContain('--maxmemory-policy noeviction');
    expect(script).toContain('${REDIS_PASSWORD:?');
  });

  it('gives Redis the password of `.env` at each start, and keeps the users of locations', async () => {
    const { redis } = (await read(SCALE)).services as unknown as Record<string, { command: string[] }>;
    const [shell, ...args] = redis!.command;
    const folder = mkdtempSync(join(tmpdir(), 'daywatch-acl-'));
    const file = join(folder, 'users.acl');
    try {
      writeFileSync(join(folder, 'docker-entrypoint.sh'), '#!/bin/sh\n', { mode: 0o755 });
      const usersAfterStart = (password: string): string => {
        const env = { PATH: `${folder}:${process.env.PATH}`, REDIS_PASSWORD: password };
        expect(spawnSync(shell!, args, { cwd: folder, env })).toMatchObject({ status: 0 });
        return readFileSync(file, 'utf8');
      };
      const own = (password: string): string => `user default on >${password} ~* &* +@all\n`;
      expect(usersAfterStart('first')).toBe(own('first'));
      const other = 'user daywatch-eu-west on sanitize-payload #0f3e ~daywatch:workers-eu-west resetchannels +@read\n';
      // As `ACL SAVE` writes it.
      writeFileSync(file, `user default on sanitize-payload #8b1a ~* &* +@all\n${other}`);
      expect(usersAfterStart('second')).toBe(own('second') + other);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(['docs/operations.md', 'deploy/kubernetes/README.md'])(
    'can be backed up and restored with the commands in %s',
    async (page) => {
      const named = [...(await source(page)).matchAll(/node dist\/src\/commands\/([\w-]+)\.js/g)].map(
        ([, name]) => name!,
      );
      expect(named).toEqual(expect.arrayContaining(['backup', 'restore']));
      for (const name of named) expect(await source(`src/commands/${name}.ts`)).toMatch(/await run(Key)?Command\(/);
    },
  );

  it('is served by a proxy that passes requests to the processes with the role `api`', async () => {
    const { api, proxy } = (await read(SCALE)).services;
    expect(proxy!.volumes).toEqual([expect.stringMatching(/^\.\/deploy\/haproxy\.cfg:/)]);
    const proxied = await source('deploy/haproxy.cfg');
    const [, count, address] = /^ {2}server-template api (\d+) (\S+) /m.exec(proxied)!;
    expect(address).toBe(`api:${api!.environment!.PORT}`);
    expect(Number(count)).toBeGreaterThan(Number(api!.deploy!.replicas));
    expect(proxy!.ports).toEqual([`127.0.0.1:3000:${/^ {2}bind :(\d+)$/m.exec(proxied)![1]!}`]);
  });
});
