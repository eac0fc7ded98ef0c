export const runtimes = {
  title: 'Runtimes',
  broker: 'Broker',
  kinds: { rabbitmq: 'RabbitMQ', 'in-process': 'built-in' },
  states: { up: 'up', down: 'down' },
  queues: 'Queues',
  queue: 'Queue',
  purpose: 'Contents',
  purposes: {
    calls: 'calls waiting for a runtime',
    claims: 'requests from runtimes to the server',
    events: 'reports from runtimes to the server',
  },
  ready: 'Waiting',
  consumers: 'Consumers',
  state: 'State',
  taken: 'consumed',
  untaken: 'no consumer',
  noQueues: 'The queues are unknown while the broker is down.',
  brokerKind: 'Type',
  deadCalls: 'Undeliverable calls, last 24 hours',
  deadEvents: 'Unprocessable reports, last 7 days',
  deadText:
    'Both counts cover every workspace on this server. An undeliverable call expired, or was returned by runtimes too often: it failed and cost nothing. The server’s log says why a report could not be processed.',
  allWell: 'Runtimes are taking calls, and the server is receiving their reports.',
  noModel: (provider: string, prefix: string, rename: string) =>
    `${provider ? `The language model of ${provider} is not connected` : 'No language model is connected'}, so a scripted assistant answers and does not follow the prompt. Connect one with the server’s settings ${prefix}_BASE_URL and ${prefix}_API_KEY${rename && ` and give the agent the provider ${rename}`}; Ollama, at http://127.0.0.1:11434/v1, needs no account and no key.`,
  providers: 'Providers',
  providersText:
    'The services that active runtimes asked, for calls of every workspace. A provider that is skipped failed several times in a row, and other calls skip it where another one follows; after a while, one call tries it again.',
  provider: {
    name: 'Provider',
    part: 'Part',
    runtime: 'Runtime',
    state: 'State',
    since: 'Since',
    p95: 'First result, p95',
    requests: 'Requests',
    failures: 'Failures',
  },
  parts: { recognition: 'hears', language: 'answers', synthesis: 'speaks' },
  providerStates: { ok: 'works', failing: 'fails', open: 'skipped' },
  milliseconds: (ms: number) => `${Math.round(ms).toLocaleString()} ms`,
  workers: 'Active runtimes',
  noWorkers: 'No runtime has reported lately. Idle runtimes that do not report may still take calls.',
  columns: {
    name: 'Name',
    version: 'Version',
    id: 'Runtime ID',
    calls: 'Calls in this workspace',
    capacity: 'Capacity',
    seen: 'Last seen',
  },
  problems: {
    brokerDown: 'The broker is down.',
    brokerDownAdvice:
      'Calls are accepted and wait. Start RabbitMQ, or check the address in RABBITMQ_URL; the server connects again by itself.',
    noRuntime: 'No runtime takes calls.',
    noRuntimeAdvice: (queue: string) =>
      `No runtime consumes the queue ${queue}, so calls wait and expire. Start a runtime (npm run runtime starts the simulated one), or check that yours reaches the broker.`,
    server: (queue: string) => `The server does not consume the queue ${queue}.`,
    serverAdvice: 'Check that a server with the role background runs, and look into its log.',
  },
};

export const attention = {
  title: 'Needs attention',
  badges: { bad: 'Urgent', warn: 'Warning' },
};
