/** The import directions of ARCHITECTURE.md, as rules: a folder may import only those listed after its name. */
const directions = {
  validation: [],
  http: ['config', 'validation'],
  'outbound-http': ['config'],
  background: ['config'],
  documents: ['background'],
  database: ['config', 'http'],
  workspaces: ['config', 'http', 'validation', 'database'],
  auth: ['config', 'http', 'validation', 'outbound-http', 'background', 'database', 'workspaces'],
  audit: ['config', 'http', 'validation', 'background', 'database', 'workspaces'],
  messaging: ['config'],
  idempotency: ['config', 'http', 'background', 'database', 'workspaces'],
  webhooks: ['config', 'http', 'validation', 'outbound-http', 'background', 'database', 'workspaces'],
  'do-not-call': ['config', 'http', 'validation', 'background', 'database', 'workspaces'],
  'phone-numbers': ['config', 'http', 'validation', 'database', 'workspaces'],
  'knowledge-base': [
    ...['config', 'http', 'validation', 'outbound-http', 'background', 'documents', 'database', 'workspaces'],
    'idempotency',
  ],
  agents: ['http', 'validation', 'database', 'workspaces', 'phone-numbers', 'knowledge-base', 'idempotency'],
  calls: [
    ...[
      'config',
      'http',
      'validation',
      'background',
      'database',
      'workspaces',
      'messaging',
      'monitoring',
      'agents',
      'webhooks',
    ],
    'do-not-call',
    'idempotency',
  ],
  'call-records': [
    'calls',
    'do-not-call',
    'agents',
    'messaging',
    'workspaces',
    'database',
    'http',
    'validation',
  ],
  campaigns: [
    ...[
      'config',
      'http',
      'validation',
      'background',
      'database',
      'workspaces',
      'messaging',
      'monitoring',
      'agents',
      'calls',
    ],
    'do-not-call',
    'idempotency',
  ],
  live: ['http', 'validation', 'database', 'auth', 'calls', 'campaigns'],
  workers: ['calls', 'messaging', 'database', 'http', 'validation'],
  'demo-recordings': [],
  runtime: ['config', 'messaging', 'demo-recordings'],
  monitoring: ['config', 'http', 'database', 'messaging'],
  operator: ['config', 'http', 'validation', 'database', 'workspaces', 'auth', 'phone-numbers', 'calls'],
  openapi: ['http', 'validation', 'auth', 'webhooks', 'calls'],
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(directions).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: {
        path: '^src/',
        pathNot: [folder, ...allowed].map((name) => `^src/${name}(/|(\\.module)?\\.ts$)`),
      },
    })),
    {
      name: 'config-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/config(-validators)?\\.ts$' },
      to: { path: '^src/', pathNot: '^src/config-validators\\.ts$' },
    },
    {
      name: 'amqplib-only-in-messaging',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/messaging/' },
      to: { path: 'node_modules/(amqplib|amqp-connection-manager|smqp)/' },
    },
    {
      name: 'typeorm-only-in-repositories',
      severity: 'error',
      from: { path: '^src/', pathNot: '(^src/database/|\\.(repository|entity|test)\\.ts$)' },
      to: { path: 'node_modules/(@nestjs/)?typeorm/' },
    },
    {
      name: 'sql-only-in-repositories',
      severity: 'error',
      from: { path: '^src/', pathNot: '(^src/database/|\\.(repository|sql)\\.ts$)' },
      to: { path: '(\\.sql|^src/database/statement)\\.ts$' },
    },
    {
      name: 'pg-only-in-repositories',
      severity: 'error',
      // The job library works on a pool of its own.
      from: {
        path: '^src/',
        pathNot:
          '(^src/database/|^src/background/job-(runner|workers|workers-pool)\\.ts$|\\.(repository|sql|test)\\.ts$)',
      },
      to: { path: 'node_modules/(pg|pg-copy-streams|@types/pg)/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'src-never-imports-test', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
