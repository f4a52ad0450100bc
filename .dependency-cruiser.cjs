/**
 * The architecture: main → app.module → modules → http, database, probes, channels → domain → nothing.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: '\\.spec\\.ts$' },
  to: { path: '^src/', pathNot: allowed },
});

const noPackages = (name, from, packages, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: '\\.spec\\.ts$' },
  to: { path: packages.map((one) => `node_modules/${one}`) },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      from: { path: '^src' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-package-in-src',
      severity: 'error',
      from: { path: '^src', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-test-code-in-src',
      severity: 'error',
      from: { path: '^src', pathNot: '\\.spec\\.ts$' },
      to: { path: '^test' },
    },
    only('domain-imports-nothing', '^src/domain', '^src/domain', 'Domain rules are pure functions.'),
    {
      name: 'domain-is-pure',
      comment:
        'The domain has no I/O and no framework; crypto hashing and small pure libraries are allowed, also those that are loaded when they are first needed.',
      severity: 'error',
      from: { path: '^src/domain', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|module)$' },
    },
    noPackages('domain-knows-no-framework', '^src/domain', ['@nestjs', 'typeorm', 'pg/', 'express'], 'No framework.'),
    only('probes-import-domain-alone', '^src/probes', '^src/(probes|domain)', 'A probe runs in any process.'),
    noPackages(
      'probes-know-no-framework',
      '^src/probes',
      ['@nestjs', 'typeorm', 'pg/', 'express'],
      'A probe runs in any process.',
    ),
    only(
      'channels-import-domain-and-network',
      '^src/channels',
      '^src/(channels|domain|html/time-text|probes/(net/|http/|deadline|time-limit|rule\\.decorator|host\\.rules))',
      'A channel runs in any process. It reaches the network through the egress guard of the probes.',
    ),
    noPackages(
      'channels-know-no-framework',
      '^src/channels',
      ['@nestjs', 'typeorm', 'pg/', 'express'],
      'A channel runs in any process.',
    ),
    only('config-imports-nothing', '^src/config', '^src/config', 'Config depends on nothing else.'),
    only('database-imports', '^src/database', '^src/(database|config|domain)', 'Conventions, not features.'),
    only('http-imports', '^src/http', '^src/(http|config|domain|database)', 'HTTP conventions, not features.'),
    only('web-imports-nothing', '^src/web', '^src/web', 'Web modules run in browsers.'),
    {
      name: 'web-is-for-browsers',
      comment: 'Pages load the web modules; the service only reads their files.',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/web' },
      to: { path: '^src/web' },
    },
    only('html-imports-the-domain-alone', '^src/html', '^src/(html|domain)', 'The appearance shared by all pages.'),
    {
      name: 'modules-meet-at-services',
      comment:
        "A module imports another's module file, exported services, DTOs and queries, never its repository or entity.",
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/', pathNot: '\\.(spec|entity)\\.ts$' },
      to: {
        path: '^src/modules/([^/]+)/',
        pathNot: ['^src/modules/$1/', '\\.(module|service|dto|query|decorator|types)\\.ts$'],
      },
    },
    {
      name: 'entities-relate-to-entities',
      comment: 'An entity may import the entity of its parent in another module, and nothing else from that module.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/.*\\.entity\\.ts$' },
      to: { path: '^src/modules/([^/]+)/', pathNot: ['^src/modules/$1/', '\\.entity\\.ts$'] },
    },
    {
      name: 'only-main-starts-the-app',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/(main|app\\.setup|commands/)|\\.spec\\.ts$' },
      to: { path: '^src/(main|app\\.module|app\\.setup)\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // These files import code that is generated from the OpenAPI document.
    exclude: { path: '^test/client/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.cjs', '.json'],
    },
  },
};
