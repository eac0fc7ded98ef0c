/** The import directions of ARCHITECTURE.md, as rules: a folder may import only what stands left of it. */
const directions = {
  common: ['config'],
  database: ['config', 'common'],
  workspaces: ['config', 'common', 'database'],
  auth: ['config', 'common', 'database', 'workspaces'],
  jobs: ['config', 'common', 'database'],
  messaging: ['config', 'common'],
  idempotency: ['config', 'common', 'database', 'workspaces'],
  webhooks: ['config', 'common', 'database', 'workspaces', 'jobs'],
  'phone-numbers': ['config', 'common', 'database', 'workspaces'],
  'knowledge-base': ['config', 'common', 'database', 'workspaces', 'jobs', 'idempotency'],
  agents: ['config', 'common', 'database', 'workspaces', 'phone-numbers', 'knowledge-base', 'idempotency'],
  calls: ['config', 'common', 'database', 'workspaces', 'messaging', 'agents', 'webhooks', 'idempotency'],
  campaigns: ['config', 'common', 'database', 'workspaces', 'messaging', 'agents', 'calls', 'idempotency'],
  reports: ['config', 'common', 'database', 'workspaces', 'agents', 'calls'],
  runtime: ['config', 'common', 'messaging'],
  monitoring: ['config', 'common', 'database', 'messaging'],
  operator: ['config', 'common', 'database', 'workspaces', 'auth', 'phone-numbers'],
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
      from: { path: '^src/config\\.ts$' },
      to: { path: '^src/' },
    },
    {
      name: 'amqplib-only-in-messaging',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/messaging/' },
      to: { path: 'node_modules/(amqplib|amqp-connection-manager|smqp)/' },
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
