import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { type Environment, expectComplete, SECRETS, source } from './support/deployment.js';

describe('deploy/kubernetes', () => {
  interface Container {
    image: string;
    env?: { name: string; value: string }[];
    envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
    ports: { name: string; containerPort: number }[];
    securityContext: { readOnlyRootFilesystem: boolean; capabilities: { drop: string[]; add?: string[] } };
    resources: { requests: object; limits: object };
    volumeMounts?: { name: string; mountPath: string }[];
    lifecycle?: object;
  }
  type Probed = Record<`${'startup' | 'readiness' | 'liveness'}Probe`, { httpGet: { path: string; port: string } }>;
  interface Workload {
    replicas?: number;
    serviceName?: string;
    strategy?: { rollingUpdate: { maxSurge: number } };
    selector: { matchLabels: Environment };
    template: {
      metadata: { labels: Environment };
      spec: {
        containers: (Container & Probed)[];
        terminationGracePeriodSeconds: number;
        securityContext: { runAsNonRoot: boolean };
        topologySpreadConstraints: { labelSelector: { matchLabels: Environment } }[];
        volumes?: { name: string }[];
      };
    };
    volumeClaimTemplates?: { metadata: { name: string } }[];
  }
  interface Manifest<Spec = object> {
    apiVersion: string;
    kind: string;
    metadata: { name: string; namespace?: string; labels?: Environment };
    spec: Spec;
    data?: Environment;
    stringData?: Environment;
  }
  const FOLDER = 'deploy/kubernetes';
  const documents = async (path: string): Promise<Manifest[]> =>
    parseAllDocuments(await source(`${FOLDER}/${path}`)).map((one) => {
      expect(one.errors).toEqual([]);
      return one.toJS() as Manifest;
    });
  const applied = async (): Promise<Manifest[]> => {
    const { resources } = (await documents('kustomization.yaml'))[0] as unknown as { resources: string[] };
    return (await Promise.all(resources.map(documents))).flat();
  };
  const of = <Spec>(all: readonly Manifest[], ...kinds: string[]): Manifest<Spec>[] =>
    all.filter(({ kind }) => kinds.includes(kind)) as Manifest<Spec>[];
  const workloadsOf = (all: readonly Manifest[]): Manifest<Workload>[] =>
    of<Workload>(all, 'Deployment', 'StatefulSet');
  const workloads = async (): Promise<Manifest<Workload>[]> => workloadsOf(await applied());

  /** Returns the environment of a container, with what the example secrets name and the configuration contains. */
  async function environmentOf({ env = [], envFrom = [] }: Pick<Container, 'env' | 'envFrom'>): Promise<Environment> {
    const all = [...(await applied()), ...(await documents('secret.example.yaml'))];
    const found = envFrom.map(({ configMapRef, secretRef }) => {
      const [kind, name] = configMapRef ? ['ConfigMap', configMapRef.name] : ['Secret', secretRef!.name];
      const one = all.find((other) => other.kind === kind && other.metadata.name === name)!;
      const given = SECRETS as Environment;
      return one.data ?? Object.fromEntries(Object.keys(one.stringData!).map((key) => [key, given[key]!]));
    });
    return Object.assign({}, ...found, ...env.map(({ name, value }) => ({ [name]: value }))) as Environment;
  }

  it('applies every manifest except examples, and names no namespace', async () => {
    const all = await applied();
    expect(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'ConfigMap daywatch',
      ...['dispatcher', 'notifier', 'worker', 'worker-eu-west'].map((name) => `Deployment daywatch-${name}`),
      'HorizontalPodAutoscaler daywatch-worker',
      'Ingress daywatch-api',
      ...['api', 'dispatcher', 'notifier', 'recorder', 'worker', 'worker-eu-west'].map(
        (name) => `PodDisruptionBudget daywatch-${name}`,
      ),
      'Service daywatch-api',
      'Service daywatch-recorder',
      ...['api', 'recorder'].map((name) => `StatefulSet daywatch-${name}`),
    ]);
    for (const { metadata } of all) expect(metadata).not.toHaveProperty('namespace');
  });

  it('takes what all processes share from the configuration or the secrets, and overrides none of it', async () => {
    for (const { spec } of await workloads()) {
      const { env = [], envFrom = [] } = spec.template.spec.containers[0]!;
      const given = Object.keys(await environmentOf({ envFrom }));
      expect(given).toEqual(expect.arrayContaining(['REDIS_URL', 'REDIS_PREFIX', 'SHARDS']));
      expect(env.map(({ name }) => name).filter((name) => given.includes(name))).toEqual([]);
    }
  });

  it('creates each secret of this installation with every name that the example has', async () => {
    const readme = await source(`${FOLDER}/README.md`);
    const files = [...readme.matchAll(/cat > \S+ <<END\n([\s\S]*?)\n *END\n *kubectl create secret generic (\S+) /g)];
    const created = files.map(([, text, name]) => [name, [...text!.matchAll(/^ *(\w+)=/gm)].map(([, key]) => key)]);
    const examples = await documents('secret.example.yaml');
    expect(created).toEqual(
      examples
        // The file of the other location is what a command prints.
        .filter(({ metadata }) => metadata.name !== 'daywatch-worker-eu-west')
        .map(({ metadata, stringData }) => [metadata.name, Object.keys(stringData!)]),
    );
  });

  it('contains no secret values', async () => {
    for (const { stringData } of await documents('secret.example.yaml')) {
      expect(Object.values(stringData!).filter((value) => value !== '')).toEqual([]);
    }
  });

  it('runs processes of every role', async () => {
    const all = await applied();
    const scalers = of<{ scaleTargetRef: { name: string }; minReplicas: number }>(all, 'HorizontalPodAutoscaler');
    const processes = await Promise.all(
      workloadsOf(all).map(async ({ metadata, spec }) => {
        const scaler = scalers.find((one) => one.spec.scaleTargetRef.name === metadata.name);
        // Each application of the manifest would reset the number that the autoscaler has set.
        if (scaler) expect(spec.replicas).toBeUndefined();
        const environment = await environmentOf(spec.template.spec.containers[0]!);
        const surge = spec.strategy?.rollingUpdate.maxSurge ?? 0;
        return { environment, replicas: scaler?.spec.minReplicas ?? spec.replicas!, surge };
      }),
    );
    expectComplete(processes);
  });

  it('documents the upgrade of every workload, readers of queues first', async () => {
    const [, upgrades] = /## Upgrades\n([\s\S]*?)\n## /.exec(await source(`${FOLDER}/README.md`))!;
    const replaced = [...upgrades!.matchAll(/\b(\w+)\/(daywatch-[\w-]+)/g)].map(([, kind, name]) => `${kind} ${name}`);
    const all = (await workloads()).map(({ kind, metadata }) => `${kind.toLowerCase()} ${metadata.name}`);
    expect(replaced.toSorted()).toEqual(all.sort());
    const roles = replaced.map((name) => /-(recorder|worker|dispatcher)/.exec(name)?.[1] ?? 'other');
    expect([...new Set(roles)]).toEqual(['recorder', 'worker', 'dispatcher', 'other']);
    expect(roles.lastIndexOf('worker')).toBeLessThan(roles.indexOf('dispatcher'));
  });

  it('selects the pods of each workload, and of no other, by its labels', async () => {
    const all = await applied();
    const pods = workloadsOf(all).map(({ metadata, spec }) => ({ name: metadata.name, spec }));
    const selected = (labels: Environment): string[] =>
      pods
        .filter(({ spec }) =>
          Object.entries(labels).every(([key, value]) => spec.template.metadata.labels[key] === value),
        )
        .map(({ name }) => name);
    for (const { name, spec } of pods) {
      expect(selected(spec.selector.matchLabels)).toEqual([name]);
      const [spread] = spec.template.spec.topologySpreadConstraints;
      expect(selected(spread!.labelSelector.matchLabels)).toEqual([name]);
    }
    for (const { metadata, spec } of of<{ selector: { matchLabels: Environment } }>(all, 'PodDisruptionBudget')) {
      expect(selected(spec.selector.matchLabels)).toEqual([metadata.name]);
    }
    for (const { metadata, spec } of of<{ selector: Environment }>(all, 'Service')) {
      expect(selected(spec.selector)).toEqual([metadata.name]);
    }
    const [api] = of<{ ports: { name: string; targetPort: string }[] }>(all, 'Service');
    expect(api!.spec.ports[0]).toMatchObject({ name: 'http', targetPort: 'http' });
    const [ingress] = of<{ rules: { http: { paths: { backend: unknown }[] } }[] }>(all, 'Ingress');
    expect(ingress!.spec.rules[0]!.http.paths[0]!.backend).toEqual({
      service: { name: api!.metadata.name, port: { name: 'http' } },
    });
  });

  it('probes the routes and the port that a process serves', async () => {
    for (const { metadata, spec } of await workloads()) {
      const container = spec.template.spec.containers[0]!;
      const environment = await environmentOf(container);
      const { startupProbe, livenessProbe, readinessProbe, ports } = container;
      expect(ports).toEqual([
        { name: 'http', containerPort: Number(environment.PORT) },
        { name: 'metrics', containerPort: Number(environment.METRICS_PORT) },
      ]);
      const routes = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
      // An API that is not ready is not reached at all, and could not serve what it still can.
      const ready = metadata.name === 'daywatch-api' ? '/healthz' : '/readyz';
      expect(routes).toEqual(['/healthz', '/healthz', ready].map((path) => ({ path, port: 'http' })));
    }
  });

  it('lets processes write only to /data, as an ordinary user, and gives them time to stop', async () => {
    for (const { metadata, spec } of await workloads()) {
      const { containers, volumes = [], terminationGracePeriodSeconds, securityContext } = spec.template.spec;
      const [container] = containers;
      const { capabilities, readOnlyRootFilesystem } = container!.securityContext;
      expect({ readOnlyRootFilesystem, drop: capabilities.drop, runAsNonRoot: securityContext.runAsNonRoot }).toEqual({
        ...{ readOnlyRootFilesystem: true, drop: ['ALL'], runAsNonRoot: true },
      });
      const isWorker = metadata.name.startsWith('daywatch-worker');
      expect(capabilities.add).toEqual(isWorker ? ['NET_RAW'] : undefined);
      expect(terminationGracePeriodSeconds).toBeGreaterThan(container!.lifecycle ? 15 : 10);
      const claimed = spec.volumeClaimTemplates?.map((one) => one.metadata.name) ?? [];
      const mounted = container!.volumeMounts ?? [];
      expect(mounted.map(({ mountPath }) => mountPath)).toEqual(isWorker ? [] : ['/data']);
      expect([...volumes.map(({ name }) => name), ...claimed]).toEqual(mounted.map(({ name }) => name));
      // The spool of what has confirmed reports or results must outlive its pod.
      const hasSpool = ['daywatch-api', 'daywatch-recorder'].includes(metadata.name);
      expect(claimed.length).toBe(hasSpool ? 1 : 0);
    }
  });

  it('scales workers on a metric that dispatchers export', async () => {
    const [scaler] = of<{ metrics: { type: string; external?: { metric: unknown } }[] }>(
      await applied(),
      'HorizontalPodAutoscaler',
    );
    const name = 'daywatch_location_lag_seconds';
    expect(scaler!.spec.metrics.find(({ type }) => type === 'External')!.external!.metric).toEqual({
      ...{ name, selector: { matchLabels: { location: 'default' } } },
    });
    expect(await source('docs/metrics.md')).toContain(`| \`${name}\` | gauge | seconds | \`location\` |`);
  });
});
