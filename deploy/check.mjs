// Renders the chart with each of its values files and checks what comes out, and checks the rules of Prometheus and the
// panels of Grafana. Needs Go with sprig, and promtool; .ci/run installs them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import Ajv from 'ajv';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';
import { buildPackages, SERVER_PACKAGES } from '../launch/build/build-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const chart = join(root, 'deploy', 'helm', 'parley');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');

let [passed, failed] = [0, 0];
function check(name, run) {
  try {
    run();
    passed += 1;
  } catch (error) {
    failed += 1;
    console.error(`FAILED: ${name}\n${error.stdout ?? ''}${error.stderr ?? ''}${error.message}`);
  }
}
function expect(condition, message) {
  if (!condition) throw new Error(message);
}

const folder = mkdtempSync(join(tmpdir(), 'parley-deploy-'));

/** Imports a file of the product that imports no other. */
const importSource = (...path) =>
  import(
    `data:text/javascript,${encodeURIComponent(ts.transpile(read(...path), { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }))}`
  );
await buildPackages((program, args) => execFileSync(program, args, { cwd: root }), SERVER_PACKAGES);
const { readSettings } = await import('@parley/voice');
const { topologyNames } = await importSource('src', 'platform', 'messaging', 'topology.ts');

/** Maps are merged, everything else is replaced. */
const merge = (into, from) =>
  from !== null &&
  typeof from === 'object' &&
  !Array.isArray(from) &&
  into !== null &&
  typeof into === 'object'
    ? {
        ...into,
        ...Object.fromEntries(Object.entries(from).map(([key, value]) => [key, merge(into[key], value)])),
      }
    : from;

/** The kinds of documents, and the package that describes each. */
const MODELS = {
  'apps/v1 Deployment': 'kubernetes-models/apps/v1',
  'autoscaling/v2 HorizontalPodAutoscaler': 'kubernetes-models/autoscaling/v2',
  'batch/v1 Job': 'kubernetes-models/batch/v1',
  'monitoring.coreos.com/v1 ServiceMonitor':
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  'networking.k8s.io/v1 Ingress': 'kubernetes-models/networking.k8s.io/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'kubernetes-models/networking.k8s.io/v1',
  'policy/v1 PodDisruptionBudget': 'kubernetes-models/policy/v1',
  'v1 PersistentVolumeClaim': 'kubernetes-models/v1',
  'v1 Service': 'kubernetes-models/v1',
};

/** The types refuse fields that do not exist, which the schemas of Kubernetes allow. */
function checkTypes(documents) {
  const lines = documents.flatMap((document, index) => {
    const source = MODELS[`${document.apiVersion} ${document.kind}`];
    expect(source, `The check has no model of ${document.apiVersion} ${document.kind}.`);
    return [
      `import { I${document.kind} as I${index} } from '${source}';`,
      `export const document${index}: I${index} = ${JSON.stringify(document, null, 1)};`,
    ];
  });
  // Its imports are resolved from this folder, which other checks do not read.
  const folder = join(root, 'node_modules', '.cache');
  const file = join(folder, `rendered-${process.pid}.mts`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, lines.join('\n'));
  try {
    const program = ts.createProgram([file], {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    });
    const errors = ts.getPreEmitDiagnostics(program).map(({ messageText, file: at, start = 0 }) => {
      const { line } = at?.getLineAndCharacterOfPosition(start) ?? { line: 0 };
      return `${at?.text.split('\n')[line]}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
    expect(errors.length === 0, errors.join('\n'));
  } finally {
    rmSync(file);
  }
}

async function checkSchemas(documents) {
  const models = await Promise.all(
    documents.map(async (document) => {
      const model = await import(MODELS[`${document.apiVersion} ${document.kind}`]);
      return new model[document.kind](document);
    }),
  );
  return () => models.forEach((model) => model.validate());
}

/** The settings of the voice runtime are whole: the runtime itself reads them, with values in place of secrets. */
function checkVoice(env, { secret }) {
  const given = Object.fromEntries(
    env.map(({ name, value }) => [
      name,
      name in secret.keys ? 'x'.repeat(32) : value?.replace('$(POD_IP)', '10.0.0.5'),
    ]),
  );
  const { carrier, peers, publicUrl } = readSettings(given);
  expect(publicUrl.startsWith('wss://'), 'The voice runtime has no public address.');
  expect(carrier?.name === given.VOICE_CARRIER, 'The voice runtime has no carrier.');
  expect(
    Boolean(peers) === 'VOICE_PEER_SECRET' in secret.keys,
    'The voice runtimes cannot reach each other.',
  );
}

const includes = (labels, selector) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** Whether the network policies let a pod, or all of a namespace, reach a port of another pod. */
function isReached(policies, pod, port, { labels, namespace }) {
  const own = policies.filter(({ spec }) => includes(pod.metadata.labels, spec.podSelector.matchLabels));
  const isFrom = ({ podSelector, namespaceSelector }) =>
    labels
      ? podSelector && !namespaceSelector && includes(labels, podSelector.matchLabels)
      : namespaceSelector?.matchLabels['kubernetes.io/metadata.name'] === namespace;
  return (
    own.length === 0 ||
    own.some(({ spec }) =>
      spec.ingress.some(
        ({ ports, from }) => ports.some((each) => each.port === port) && (!from || from.some(isFrom)),
      ),
    )
  );
}

/** The policies allow what the documents need, and the namespaces of the values only. */
function checkFlows(documents, pods, { networkPolicy }) {
  const policies = documents.filter(({ kind }) => kind === 'NetworkPolicy');
  const isVoice = ({ metadata }) => metadata.labels['app.kubernetes.io/name'] === 'parley-voice';
  const voices = pods.filter(isVoice).map(({ metadata }) => ({ labels: metadata.labels }));
  const inNamespaces = (names) => names.map((namespace) => ({ namespace }));
  const { fromNamespaces, monitoringNamespaces } = networkPolicy;
  for (const pod of pods)
    for (const { name } of pod.spec.containers[0].ports ?? []) {
      const isMonitoring = name === 'monitoring';
      const from = isMonitoring
        ? inNamespaces(monitoringNamespaces)
        : [...voices, ...inNamespaces(fromNamespaces)];
      for (const peer of from)
        expect(
          isReached(policies, pod, name, peer),
          `${pod.metadata.labels['app.kubernetes.io/name']} is not reached on ${name} from ${JSON.stringify(peer)}.`,
        );
      const isOpen = (isMonitoring ? monitoringNamespaces : fromNamespaces).length === 0;
      expect(
        isReached(policies, pod, name, { namespace: 'other' }) === (isOpen || policies.length === 0),
        `Any namespace reaches ${name}.`,
      );
    }
}

/** The types do not express this: the documents fit each other, and no secret is in them. */
function checkSense(documents, values) {
  const ofKind = (kind) => documents.filter((document) => document.kind === kind);
  const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template);
  const names = documents.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  expect(new Set(names).size === names.length, `Two documents have one name: ${names}`);
  for (const { metadata, spec } of pods) {
    const [{ env, securityContext, volumeMounts }] = spec.containers;
    expect(spec.enableServiceLinks === false, 'A service may set a setting.');
    const { nodeSelector = {}, tolerations = [] } = spec;
    expect(
      isDeepStrictEqual([nodeSelector, tolerations], [values.nodeSelector, values.tolerations]),
      'A pod may run on another node.',
    );
    expect(
      securityContext.readOnlyRootFilesystem && spec.securityContext.runAsNonRoot,
      'A container may write or be root.',
    );
    const mounted = volumeMounts.map(({ name }) => name).sort();
    expect(`${mounted}` === `${spec.volumes.map(({ name }) => name).sort()}`, 'A volume is missing.');
    expect(new Set(env.map(({ name }) => name)).size === env.length, 'A setting is there twice.');
    const isVoice = metadata.labels['app.kubernetes.io/name'] === 'parley-voice';
    const { keys } = isVoice ? values.voice.secret : values.secret;
    const given = isVoice ? values.voice.settings : values.settings;
    for (const { name, value } of env) {
      expect(!(name in keys) || value === undefined, `${name} is not read from the secret.`);
      expect(!(name in given) || value === `${given[name]}`, `${name} is ${value}.`);
    }
    if (isVoice) checkVoice(env, values.voice);
    if (metadata.labels['app.kubernetes.io/name'] === 'parley') {
      expect(
        spec.terminationGracePeriodSeconds === values.drainSeconds + 30,
        'A pod is killed before it has drained.',
      );
      const recordings = env.find(({ name }) => name === 'RECORDING_MAX_MB')?.value;
      const { persistentVolumeClaim } = spec.volumes.find(({ name }) => name === 'data');
      expect(persistentVolumeClaim || recordings === '0', 'A recording is in one pod only.');
    }
  }
  const settings = read('docs', 'settings.md');
  const { voice } = values;
  const named = { ...values.settings, ...values.secret.keys, ...voice.settings, ...voice.secret.keys };
  for (const name of Object.keys(named)) expect(settings.includes(`\`${name}\``), `${name} is no setting.`);
  for (const { metadata, spec } of ofKind('Deployment')) {
    expect(
      includes(spec.template.metadata.labels, spec.selector.matchLabels),
      `${metadata.name} selects no pod.`,
    );
    const scaled = ofKind('HorizontalPodAutoscaler').some(
      (each) => each.spec.scaleTargetRef.name === metadata.name,
    );
    expect(
      scaled === (spec.replicas === undefined),
      `${metadata.name} has replicas and an autoscaler, or neither.`,
    );
  }
  for (const { metadata, spec } of ofKind('Service')) {
    const selected = pods.filter((pod) => includes(pod.metadata.labels, spec.selector));
    expect(selected.length > 0, `${metadata.name} selects no pod.`);
    const ports = selected.map((pod) => pod.spec.containers[0].ports?.map(({ name }) => name) ?? []);
    expect(
      ports.every((names) => spec.ports.every(({ targetPort }) => names.includes(targetPort))),
      `${metadata.name} has no port.`,
    );
  }
  const isMonitored = values.serviceMonitor.enabled;
  expect(
    ofKind('ServiceMonitor').length === (isMonitored ? 1 + Number(voice.enabled) : 0),
    'The servers or the voice runtimes have no ServiceMonitor.',
  );
  checkFlows(documents, pods, values);
  for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
    const queues = spec.metrics.flatMap(({ external }) => external?.metric.selector.matchLabels.queue ?? []);
    for (const queue of queues)
      expect(queue === topologyNames('voice').eventsQueue, `Nothing is in a queue ${queue}.`);
  }
  for (const { metadata } of ofKind('PersistentVolumeClaim'))
    expect(metadata.annotations['helm.sh/resource-policy'] === 'keep', 'The recordings go with the release.');
  for (const { metadata, spec } of ofKind('PodDisruptionBudget'))
    expect(
      pods.filter((pod) => includes(pod.metadata.labels, spec.selector.matchLabels)).length === 1,
      `The budget ${metadata.name} is not that of one Deployment.`,
    );
  for (const { metadata: monitor, spec } of ofKind('ServiceMonitor')) {
    const found = ofKind('Service').filter(({ metadata }) =>
      includes(metadata.labels, spec.selector.matchLabels),
    );
    expect(found.length === 1, `The ServiceMonitor ${monitor.name} does not select one service.`);
    const ports = found[0].spec.ports.map(({ name }) => name);
    expect(
      spec.endpoints.every(({ port }) => ports.includes(port)),
      `The service of the ServiceMonitor ${monitor.name} has no such port.`,
    );
    const isServer = found[0].metadata.labels['app.kubernetes.io/name'] === 'parley';
    const job = found[0].metadata.labels[spec.jobLabel] ?? found[0].metadata.name;
    expect(job.includes('parley') === isServer, `The alerts count the wrong processes as servers: ${job}.`);
  }
}

const renderer = join(folder, 'render');
execFileSync('go', ['build', '-o', renderer, join(root, 'deploy', 'helm', 'render.go')], {
  env: {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: join(folder, 'cache'),
    GOFLAGS: '',
  },
});
const schema = new Ajv({ allErrors: true, strict: false }).compile(
  JSON.parse(read('deploy/helm/parley/values.schema.json')),
);
const standard = parse(read('deploy/helm/parley/values.yaml'));

for (const file of ['', ...readdirSync(join(chart, 'ci'))]) {
  const name = file || 'values.yaml alone';
  const path = file && join(chart, 'ci', file);
  const values = file ? merge(standard, parse(readFileSync(path, 'utf8'))) : standard;
  check(`${name}: the values fit their schema`, () =>
    expect(schema(values), JSON.stringify(schema.errors, null, 1)),
  );
  const rendered = execFileSync(renderer, [chart, path].filter(Boolean), { encoding: 'utf8' });
  const documents = parseAllDocuments(rendered)
    .map((document) => document.toJS())
    .filter(Boolean);
  check(`${name}: the documents have fields that exist`, () => checkTypes(documents));
  check(`${name}: the documents are valid`, await checkSchemas(documents));
  check(`${name}: the documents fit each other`, () => checkSense(documents, values));
  check(`${name}: the notes say whether recordings are refused`, () =>
    expect(
      /^# Recordings are refused/m.test(rendered) === !values.persistence.enabled,
      'The notes and the values differ.',
    ),
  );
}

check('The schema of the values refuses a misspelled one', () =>
  expect(!schema({ ...standard, replica: 1 }), 'It is accepted.'),
);
check('Another chart can depend on this one', () =>
  expect(schema({ ...standard, global: {} }), JSON.stringify(schema.errors)),
);
check('The schema refuses settings that the chart fixes, and secrets in plain text', () => {
  const refused = {
    ...{
      PORT: 3001,
      HOST: '127.0.0.1',
      PARLEY_DATA: '/other',
      JWT_SECRET_FILE: '/data/jwt-secret',
      ROLES: 'http',
    },
    ...{ DRAIN_SECONDS: 5, MONITORING_PORT: 9101, MIGRATE: 'false', RECORDING_MAX_MB: 200 },
    ...{ DATABASE_URL: 'x', REPORTS_DATABASE_URL: 'x', RABBITMQ_URL: 'x', JWT_SECRET: 'x' },
    ...{ JWT_SECRET_PREVIOUS: 'x', OIDC_CLIENT_SECRET: 'x', OTEL_EXPORTER_OTLP_HEADERS: 'x' },
  };
  for (const [name, value] of Object.entries(refused))
    expect(!schema(merge(standard, { settings: { [name]: value } })), `${name} is accepted.`);
  for (const name of ['PORT', 'PARLEY_DATA', 'ROLES'])
    expect(!schema(merge(standard, { secret: { keys: { [name]: 'x' } } })), `${name} is accepted.`);
  for (const name of ['VOICE_PORT', 'VOICE_PEER_SECRET', 'LLM_API_KEY_FILE', 'OTEL_EXPORTER_OTLP_HEADERS'])
    expect(!schema(merge(standard, { voice: { settings: { [name]: 'x' } } })), `${name} is accepted.`);
});
check('The schema has the bounds of the server', () => {
  const voice = ['packages', 'voice', 'src', 'runtime', 'settings.ts'];
  for (const [name, path, declaration, toValues] of [
    ['DRAIN_SECONDS', ['src', 'config.ts'], ' DRAIN_SECONDS: ', (drainSeconds) => ({ drainSeconds })],
    ['VOICE_DRAIN_SECONDS', voice, ' drainSeconds = ', (drainSeconds) => ({ voice: { drainSeconds } })],
  ]) {
    const [, ...bounds] = read(...path).match(
      new RegExp(`${declaration}integer\\(\\{ min: ([\\d_]+), max: ([\\d_]+)`),
    );
    const [min, max] = bounds.map((bound) => Number(bound.replaceAll('_', '')));
    const accepts = (value) => schema(merge(standard, toValues(value)));
    expect(accepts(min) && accepts(max), `${name} cannot be ${min} and ${max}.`);
    expect(!accepts(min - 1) && !accepts(max + 1), `${name} can be beyond ${min} and ${max}.`);
  }
});
check('The size of recordings can be set where there is a volume for them', () => {
  const settings = { RECORDING_MAX_MB: 100 };
  expect(schema(merge(standard, { persistence: { enabled: true }, settings })), 'It is refused.');
});
check('A further Deployment needs replicas, or the bounds of its autoscaling', () => {
  const accepts = (more) => {
    const pool = { enabled: true, roles: ['http'], resources: { requests: { cpu: 1 } }, ...more };
    return schema(merge(standard, { servers: { more: pool } }));
  };
  const bounds = { minReplicas: 1, maxReplicas: 2, cpuPercent: 70 };
  expect(accepts({ replicas: 1, autoscaling: { enabled: false } }), 'One with replicas is refused.');
  expect(accepts({ autoscaling: { enabled: true, ...bounds } }), 'One with bounds is refused.');
  expect(!accepts({ autoscaling: { enabled: false } }), 'One without replicas is accepted.');
  expect(!accepts({ autoscaling: { enabled: true } }), 'One without bounds is accepted.');
  const unmeasured = { resources: {}, autoscaling: { enabled: true, ...bounds } };
  expect(!accepts(unmeasured), 'One whose CPU is not requested is accepted.');
  const voice = merge(standard, { servers: { voice: standard.servers.http } });
  expect(!schema(voice), 'It can have the name of the voice runtimes.');
});
check('Several voice runtimes need a secret, and Asterisk has one', () => {
  const voice = (more) => schema(merge(standard, { voice: { enabled: true, replicas: 2, ...more } }));
  const secret = { keys: { VOICE_PEER_SECRET: 'voice-peer-secret' } };
  expect(voice({ secret }), 'Two with a secret are refused.');
  expect(!voice({}), 'Two without a secret are accepted.');
  expect(!voice({ secret, settings: { VOICE_CARRIER: 'asterisk' } }), 'Two with Asterisk are accepted.');
});
check('Compose passes each setting of the voice runtime on', () => {
  const { environment } = parse(read('docker-compose.yml')).services.voice;
  // One container has a time of its own here, and no others beside it.
  const others = new Set(['VOICE_ORIGINS', 'VOICE_PEER_URL', 'VOICE_PEER_SECRET', 'VOICE_DRAIN_SECONDS']);
  const names = [
    ...read('docs', 'settings.md').matchAll(
      /`((VOICE|TWILIO|TELNYX|ASTERISK|DEEPGRAM|ELEVENLABS|OPENAI_REALTIME|LLM)(_[A-Z]+)+)`/g,
    ),
  ]
    .map(([, name]) => name)
    .filter((name) => !name.endsWith('_FILE') && !others.has(name));
  // A carrier would call this default back.
  expect(environment.VOICE_PUBLIC_URL === '${VOICE_PUBLIC_URL:-}', 'VOICE_PUBLIC_URL has a default.');
  const missing = names.filter((name) => !(name in environment));
  expect(missing.length === 0, `The service voice lacks ${[...new Set(missing)].join(', ')}.`);
});
check('Compose passes each setting of operation, sign-in and traces on to the servers', () => {
  const { environment } = parse(read('docker-compose.yml')).services.api;
  const names = [
    ...read('docs', 'settings.md').matchAll(
      /`((OIDC|OTEL)(_[A-Z]+)+|DRAIN_SECONDS|MIGRATE|MONITORING_PORT)`/g,
    ),
  ];
  const missing = names.map(([, name]) => name).filter((name) => !(name in environment));
  expect(
    names.length > 20 && missing.length === 0,
    `The service api lacks ${[...new Set(missing)].join(', ')}.`,
  );
});
check('The chart has the release of the server', () => {
  const { appVersion } = parse(read('deploy/helm/parley/Chart.yaml'));
  expect(appVersion === JSON.parse(read('package.json')).version, `The chart has ${appVersion}.`);
});

const rules = parse(read('deploy/prometheus/parley.rules.yml')).groups.flatMap((group) => group.rules);
check('The rules of Prometheus fire and are quiet as their tests say', () => {
  execFileSync('promtool', ['test', 'rules', 'parley.rules.test.yml'], {
    cwd: join(root, 'deploy', 'prometheus'),
  });
});
check('Each alert has tests, and a section of the runbook', () => {
  const [tests, book] = [read('deploy/prometheus/parley.rules.test.yml'), read('docs/runbook.md')];
  for (const { alert } of rules) {
    expect(
      tests.includes(`name: ${alert} fires`) && tests.includes(`name: ${alert} is quiet`),
      `${alert} has no test.`,
    );
    expect(book.includes(`## ${alert}\n`), `${alert} has no section.`);
  }
  const sections = [...book.matchAll(/^## (\w+)$/gm)].map(([, alert]) => alert);
  expect(sections.length === rules.length, 'The runbook has a section without an alert.');
});
check('A panel shows every metric of an alert', () => {
  const { panels } = JSON.parse(read('deploy/grafana/parley.json'));
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
  for (const { alert, expr } of rules) {
    const [metric] = expr.match(/[a-z]+(_[a-z]+)+/) ?? ['up'];
    expect(
      shown.includes(metric === 'histogram_quantile' ? 'call_claim_seconds' : metric),
      `${alert} has no panel.`,
    );
  }
});
check('Each part of the promise has alerts and panels', () => {
  const readRows = (...path) =>
    [...read(...path).matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row.split('|').map((cell) => cell.trim()));
  const rows = readRows('docs', 'promise.md');
  const [, ofAgents] = [...read('docs', 'promise.md').matchAll(/^> (.*)\.$/gm)].map(
    ([, sentence]) => sentence,
  );
  const parts = [...rows.slice(2).map(([part]) => part), ...ofAgents.split(/, (?:and )?/)];
  const titles = JSON.parse(read('deploy/grafana/parley.json')).panels.map(({ title }) => title);
  const watched = readRows('docs', 'runbook.md').slice(2);
  expect(
    parts.length > 4 &&
      isDeepStrictEqual(
        watched.map(([part]) => part),
        parts,
      ),
    'The runbook has other parts than the promise.',
  );
  for (const [part, alerts, panels] of watched) {
    for (const name of alerts.split(', '))
      expect(
        rules.some(({ alert }) => alert === name),
        `${part}: there is no alert ${name}.`,
      );
    for (const title of panels.split('; '))
      expect(titles.includes(title), `${part}: there is no panel ${title}.`);
  }
});

rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
