// Renders the chart with each of its values files and checks what comes out, and checks the rules of Prometheus and the
// panels of Grafana. Needs Go with sprig, and promtool; .ci/run installs them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';

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
  // The file is in this folder, because its imports are resolved from there.
  const file = join(root, 'deploy', `rendered-${process.pid}.mts`);
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

const includes = (labels, selector) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** The types do not express this: the documents fit each other, and no secret is in them. */
function checkSense(documents, values) {
  const ofKind = (kind) => documents.filter((document) => document.kind === kind);
  const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template);
  const names = documents.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  expect(new Set(names).size === names.length, `Two documents have one name: ${names}`);
  for (const { metadata, spec } of pods) {
    const [{ env, securityContext, volumeMounts }] = spec.containers;
    expect(
      securityContext.readOnlyRootFilesystem && spec.securityContext.runAsNonRoot,
      'A container may write or be root.',
    );
    const mounted = volumeMounts.map(({ name }) => name).sort();
    expect(`${mounted}` === `${spec.volumes.map(({ name }) => name).sort()}`, 'A volume is missing.');
    expect(new Set(env.map(({ name }) => name)).size === env.length, 'A setting is there twice.');
    for (const { name, value } of env) {
      expect(!(name in values.secret.keys) || value === undefined, `${name} is not read from the secret.`);
    }
    if (metadata.labels['app.kubernetes.io/name'] === 'parley') {
      expect(
        spec.terminationGracePeriodSeconds === values.drainSeconds + 30,
        'A pod is killed before it has drained.',
      );
    }
  }
  const settings = read('docs', 'settings.md');
  for (const name of Object.keys(values.settings))
    expect(settings.includes(`\`${name}\``), `${name} is no setting.`);
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
  for (const { spec } of ofKind('ServiceMonitor')) {
    const found = ofKind('Service').filter(({ metadata }) =>
      includes(metadata.labels, spec.selector.matchLabels),
    );
    expect(found.length === 1, 'The ServiceMonitor does not select one service.');
    const job = found[0].metadata.labels[spec.jobLabel] ?? found[0].metadata.name;
    expect(job.includes('parley'), `The alerts do not find the servers: their job is ${job}.`);
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
}

check('The schema of the values refuses a misspelled one', () =>
  expect(!schema({ ...standard, replica: 1 }), 'It is accepted.'),
);
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

rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
