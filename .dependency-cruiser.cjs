/**
 * The layers of src/, from the lowest: a folder may import the settings, the layers listed after its layer, and the
 * folders listed after its own name.
 */
const layers = {
  platform: [],
  accounts: ['platform'],
  features: ['platform', 'accounts'],
  // The simulated runtime stands outside: it uses only what any runtime has.
  tools: [],
};

const folders = {
  'platform/validation': [],
  'platform/limits': [],
  'platform/tracing': [],
  'platform/http': ['platform/validation', 'platform/limits', 'platform/tracing'],
  'platform/outbound-http': [],
  'platform/background': ['platform/database', 'platform/monitoring'],
  'platform/files': [],
  'platform/csv': ['platform/background', 'platform/validation'],
  'platform/documents': ['platform/background', 'platform/limits', 'platform/validation'],
  'platform/database': ['platform/http', 'platform/limits', 'platform/tracing', 'platform/validation'],
  'platform/messaging': [],
  'platform/monitoring': ['platform/http', 'platform/database', 'platform/messaging', 'platform/tracing'],
  'platform/replica': ['platform/http', 'platform/database', 'platform/background', 'platform/monitoring'],
  'accounts/workspaces': [],
  'accounts/auth': ['accounts/workspaces', 'accounts/audit'],
  'accounts/oidc': ['accounts/workspaces', 'accounts/auth', 'accounts/audit'],
  'accounts/people': ['accounts/workspaces', 'accounts/auth', 'accounts/audit'],
  'accounts/audit': ['accounts/workspaces'],
  'accounts/idempotency': ['accounts/workspaces'],
  'features/phone-numbers': [],
  'features/do-not-call': [],
  'features/notes': [],
  'features/webhooks': [],
  'features/webhook-endpoints': ['features/agents', 'features/webhooks'],
  'features/knowledge-base': [],
  'features/tools': [],
  'features/demo-recordings': [],
  'features/agents': [
    'features/do-not-call',
    'features/phone-numbers',
    'features/knowledge-base',
    'features/tools',
  ],
  'features/calls': [
    'features/agents',
    'features/do-not-call',
    'features/phone-numbers',
    'features/tools',
    'features/webhooks',
  ],
  'features/tool-invocations': ['features/calls', 'features/agents', 'features/tools', 'features/webhooks'],
  'features/reports': [
    'features/calls',
    'features/agents',
    'features/campaigns',
    'features/demo-recordings',
    'features/do-not-call',
    'features/tool-invocations',
    'features/tools',
    'features/webhooks',
  ],
  'features/campaigns': ['features/calls', 'features/agents', 'features/do-not-call'],
  'features/retention': [
    'features/calls',
    'features/reports',
    'features/campaigns',
    'features/tool-invocations',
    'features/webhooks',
  ],
  'features/erasures': [
    'features/calls',
    'features/reports',
    'features/campaigns',
    'features/do-not-call',
    'features/notes',
    'features/rehearsals',
    'features/tool-invocations',
    'features/webhooks',
  ],
  'features/verification': [
    'features/calls',
    'features/campaigns',
    'features/reports',
    'features/tool-invocations',
    'features/webhooks',
    'features/rehearsals',
  ],
  'features/rehearsals': [
    'features/agents',
    'features/calls',
    'features/reports',
    'features/tool-invocations',
    'features/tools',
  ],
  'features/publishing': ['features/agents', 'features/rehearsals'],
  'features/code': [
    'features/agents',
    'features/knowledge-base',
    'features/publishing',
    'features/rehearsals',
    'features/tools',
  ],
  'features/trials': ['features/agents', 'features/calls', 'features/reports'],
  'features/live': [
    'features/calls',
    'features/campaigns',
    'features/rehearsals',
    'features/tool-invocations',
  ],
  'features/runtimes': ['features/calls'],
  'features/mcp': [
    'features/agents',
    'features/calls',
    'features/campaigns',
    'features/do-not-call',
    'features/knowledge-base',
    'features/reports',
    'features/runtimes',
    'features/tool-invocations',
    'features/webhook-endpoints',
  ],
  'read-models': ['platform', 'accounts', 'features'],
  'tools/broker-transport': ['platform/messaging'],
  'tools/simulated-runtime': ['platform/messaging', 'features/demo-recordings', 'tools/broker-transport'],
  'tools/voice-runtime': [
    'platform/messaging',
    'platform/http',
    'platform/monitoring',
    'tools/broker-transport',
  ],
  'tools/demo-data': ['platform', 'accounts', 'features'],
  'tools/operator': ['platform', 'accounts', 'features', 'read-models', 'tools/demo-data'],
  'app/openapi': ['platform', 'accounts', 'features'],
};

/** Inside a big feature: each folder may import those listed after it. The module puts them together. */
const rooms = {
  'features/calls': {
    model: [],
    counts: ['model'],
    lifecycle: ['model', 'counts'],
    'runtime-messages': ['model', 'lifecycle'],
  },
  'features/reports': {
    'runtime-reports': [],
    findings: ['runtime-reports'],
    filter: ['findings'],
    measurements: ['runtime-reports'],
    'call-records': ['findings', 'filter', 'runtime-reports', 'measurements'],
    recordings: ['filter', 'runtime-reports', 'call-records'],
    series: ['filter', 'measurements', 'call-records'],
    conversations: ['filter'],
    statistics: ['filter'],
  },
  'features/campaigns': {
    plan: [],
    recipients: ['plan'],
    running: ['plan', 'recipients'],
    'recipients-file': ['plan', 'recipients', 'running'],
    api: ['plan', 'recipients', 'running', 'recipients-file'],
  },
};

const mayImport = (from, to, within = '^src/') => ({
  name: `${from.replaceAll('/', '-')}-imports`,
  severity: 'error',
  from: { path: `^src/${from}/` },
  to: { path: within, pathNot: [from, ...to].map((name) => `^src/${name}(/|\\.ts$)`) },
});

const directions = [
  ...Object.entries(folders).map(([folder, others]) =>
    mayImport(folder, ['config', ...(layers[folder.split('/')[0]] ?? []), ...others]),
  ),
  ...Object.entries(rooms).flatMap(([feature, parts]) =>
    Object.entries(parts).map(([room, others]) =>
      mayImport(
        `${feature}/${room}`,
        others.map((other) => `${feature}/${other}`),
        `^src/${feature}/`,
      ),
    ),
  ),
];

/** The import directions of the console's sources, in the same form. A feature imports no other feature. */
const consoleDirections = {
  texts: [],
  api: ['texts'],
  ui: ['api', 'texts'],
  domain: ['api', 'texts', 'ui'],
  session: ['api', 'texts', 'ui'],
  live: ['api', 'session'],
  shell: ['api', 'texts', 'ui', 'session', 'live', 'pages'],
};

/** The import directions of the voice runtime, in the same form. Each folder also may import the files beside the folders. */
const voiceDirections = {
  net: [],
  audio: [],
  providers: [],
  speech: ['audio', 'net', 'providers'],
  brain: ['audio', 'net', 'providers'],
  agent: ['audio', 'providers', 'speech'],
  conversation: ['agent', 'audio', 'brain', 'speech'],
  doors: ['agent', 'audio', 'conversation', 'net', 'speech'],
  realtime: ['agent', 'audio', 'brain', 'speech'],
  rehearsal: ['agent', 'audio', 'brain', 'conversation', 'doors', 'speech'],
};

const SERVER_AND_ITS_START = ['launch', 'src', 'test/run'];
const TESTED = [...SERVER_AND_ITS_START, 'test/support'];
const RESILIENCE = [...TESTED, 'test/resilience/harness'];

/** The import directions of what is not part of the server. */
const outside = {
  launch: [],
  'launch/process': [],
  'launch/postgres': ['launch/process'],
  'launch/build': ['launch/process', 'launch/postgres'],
  'launch/server': ['launch/process', 'launch/postgres'],
  generate: ['launch', 'src'],
  'test/run': ['launch', 'generate'],
  'test/support': [...SERVER_AND_ITS_START, 'console', 'generate'],
  'test/rules': ['launch', 'generate', 'src', 'test/support', 'test/resilience'],
  'test/api': TESTED,
  'test/contract': TESTED,
  'test/browser': TESTED,
  'test/slow': [...TESTED, 'console', 'generate'],
  'test/resilience/harness': TESTED,
  'test/resilience/faults': RESILIENCE,
  'test/resilience/cluster': RESILIENCE,
  'test/resilience/neighbours': RESILIENCE,
  bench: [...TESTED, 'console'],
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...directions,
    ...Object.entries(consoleDirections).map(([folder, allowed]) => ({
      name: `console-${folder}-imports`,
      severity: 'error',
      from: { path: `^console/src/${folder}/`, pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(console/)?src/',
        pathNot: [folder, ...allowed].map((name) => `^console/src/${name}(/|\\.ts$)`),
      },
    })),
    ...Object.entries(voiceDirections).map(([folder, allowed]) => ({
      name: `voice-${folder}-imports`,
      severity: 'error',
      from: { path: `^packages/voice/src/${folder}/`, pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/voice/src/[^/]+/',
        pathNot: [folder, ...allowed].map((name) => `^packages/voice/src/${name}/`),
      },
    })),
    // A stand-in that shared code with the client would share its mistakes about the service.
    {
      name: 'stand-ins-stand-apart',
      severity: 'error',
      from: { path: '^packages/voice/test/stand-ins/' },
      to: {
        path: '^(src|test|launch|generate|console|packages)/',
        pathNot: '^packages/voice/test/stand-ins/',
      },
    },
    {
      name: 'voice-imports-no-stand-in',
      severity: 'error',
      from: { path: '^packages/voice/src/' },
      to: { path: '^packages/voice/test/stand-ins/' },
    },
    {
      name: 'console-features-import-no-other-feature',
      severity: 'error',
      from: { path: '^console/src/features/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(console/)?src/',
        pathNot: ['^console/src/features/$1/', '^console/src/(domain|ui|api|live|session|texts)/'],
      },
    },
    {
      name: 'console-shares-only-the-core-of-the-client',
      severity: 'error',
      from: { path: '^console/src/' },
      to: {
        path: '^packages/',
        pathNot: '^packages/client/src/(deletion|errors|options|repeat|retries|time-limit|uuid)\\.ts$',
      },
    },
    {
      name: 'console-features-are-loaded-by-the-list-of-pages',
      severity: 'error',
      from: { path: '^console/src/', pathNot: '^console/src/(features/|pages\\.ts$|app\\.tsx$)' },
      to: { path: '^console/src/features/' },
    },
    {
      name: 'config-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/config(-validators)?\\.ts$' },
      to: { path: '^src/', pathNot: '^src/config-validators\\.ts$' },
    },
    {
      name: 'amqplib-only-in-messaging',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/messaging/' },
      to: { path: 'node_modules/(amqplib|amqp-connection-manager|smqp)/' },
    },
    {
      name: 'typeorm-only-in-repositories',
      severity: 'error',
      from: { path: '^src/', pathNot: '(^src/platform/database/|\\.(repository|entity|test)\\.ts$)' },
      to: { path: 'node_modules/(@nestjs/)?typeorm/' },
    },
    {
      name: 'sql-only-in-repositories',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '(^src/(platform/(database|replica)|read-models)/|\\.(repository|sql)\\.ts$)',
      },
      to: { path: '(\\.sql|^src/platform/database/statement)\\.ts$' },
    },
    {
      name: 'pg-only-in-repositories',
      severity: 'error',
      // The job library works on a pool of its own.
      from: {
        path: '^src/',
        pathNot:
          '(^src/platform/(database|replica)/|^src/platform/background/job-(runner|workers|workers-pool)\\.ts$|\\.(repository|sql|test)\\.ts$)',
      },
      to: { path: 'node_modules/(pg|pg-copy-streams|@types/pg)/' },
    },
    {
      name: 'packages-stand-alone',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: '^(src|test|launch|generate|bench)/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'src-imports-src',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|launch|generate|bench|console)/' },
    },
    ...Object.entries(outside).map(([folder, allowed]) => ({
      name: `${folder.replaceAll('/', '-')}-imports`,
      severity: 'error',
      from: { path: `^${folder}/` },
      to: {
        path: '^(src|test|launch|generate|bench|console)/',
        pathNot: [folder, ...allowed].map((name) => `^${name}/`),
      },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
