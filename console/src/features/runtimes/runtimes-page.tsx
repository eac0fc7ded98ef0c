import { api, type Schemas } from '../../api/client';
import { Badge } from '../../ui/badge';
import { Facts } from '../../ui/facts';
import { Loaded } from '../../ui/loaded';
import { Page, Section } from '../../ui/page';
import { ProblemList } from '../../ui/problem-list';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { providerName } from '../../texts/providers';
import { texts } from '../../texts';
import { MissingModel } from '../../domain/missing-model';
import { isOfCalls, runtimeProblems } from '../../domain/runtime-problems';
import styles from './runtimes.module.css';

type Queue = Schemas['RuntimeQueueDto'];
type Worker = Schemas['RuntimeWorkerDto'];

const labels = texts.runtimes;

/** No event announces that a runtime starts or stops, so the page polls. */
const POLL_MS = 5_000;

function getPurpose(queue: Queue): string {
  if (isOfCalls(queue)) return labels.purposes.calls;
  return queue.name.endsWith('.claims') ? labels.purposes.claims : labels.purposes.events;
}

const QUEUE_COLUMNS: Column<Queue>[] = [
  { key: 'name', header: labels.queue, cell: ({ name }) => <code>{name}</code> },
  {
    key: 'state',
    header: labels.state,
    phone: 'aside',
    cell: ({ consumers }) => (
      <Badge tone={consumers > 0 ? 'good' : 'bad'}>{consumers > 0 ? labels.taken : labels.untaken}</Badge>
    ),
  },
  { key: 'consumers', header: labels.consumers, cell: ({ consumers }) => consumers, align: 'end' },
  { key: 'ready', header: labels.ready, cell: ({ ready }) => ready.toLocaleString(), align: 'end' },
  { key: 'purpose', header: labels.purpose, cell: getPurpose, isMinor: true },
];

const { columns } = labels;

const WORKER_COLUMNS: Column<Worker>[] = [
  { key: 'name', header: columns.name, cell: ({ name }) => name || texts.common.unknown },
  { key: 'version', header: columns.version, cell: ({ version }) => version, isMinor: true },
  { key: 'id', header: columns.id, cell: ({ worker_id }) => <code>{worker_id}</code>, isMinor: true },
  { key: 'calls', header: columns.calls, cell: ({ calls }) => calls, align: 'end' },
  {
    key: 'capacity',
    header: columns.capacity,
    cell: ({ capacity }) => capacity?.toLocaleString() ?? texts.common.unknown,
    align: 'end',
  },
  {
    key: 'seen',
    header: columns.seen,
    phone: 'aside',
    cell: ({ last_seen_at }) => <TimeText at={last_seen_at} hasSeconds />,
  },
];

/** A provider of a runtime. */
type Provider = Worker['providers'][number] & { runtime: string; workerId: string };

const TONES = { ok: 'good', failing: 'warn', open: 'bad' } as const;

const PROVIDER_COLUMNS: Column<Provider>[] = [
  { key: 'name', header: labels.provider.name, cell: ({ name }) => providerName(name) },
  { key: 'part', header: labels.provider.part, cell: ({ part }) => labels.parts[part] },
  {
    key: 'state',
    header: labels.provider.state,
    phone: 'aside',
    cell: ({ state }) => <Badge tone={TONES[state]}>{labels.providerStates[state]}</Badge>,
  },
  {
    key: 'since',
    header: labels.provider.since,
    cell: ({ since }) => <TimeText at={since} />,
    isMinor: true,
  },
  {
    key: 'p95',
    header: labels.provider.p95,
    cell: ({ p95_ms }) => (p95_ms === null ? texts.common.unknown : labels.milliseconds(p95_ms)),
    align: 'end',
  },
  {
    key: 'requests',
    header: labels.provider.requests,
    cell: ({ requests }) => requests.toLocaleString(),
    align: 'end',
  },
  {
    key: 'failures',
    header: labels.provider.failures,
    cell: ({ failures }) => failures.toLocaleString(),
    align: 'end',
  },
  { key: 'runtime', header: labels.provider.runtime, cell: ({ runtime }) => runtime, isMinor: true },
];

const listProviders = (workers: Worker[]): Provider[] =>
  workers.flatMap(({ name, worker_id, providers }) =>
    providers.map((provider) => ({ ...provider, runtime: name || worker_id, workerId: worker_id })),
  );

/** The providers that runtimes have asked, if any says so. */
const Providers = ({ workers }: { workers: Worker[] }) => {
  const providers = listProviders(workers);
  if (providers.length === 0) return null;
  return (
    <Section title={labels.providers}>
      <Table
        caption={labels.providers}
        columns={PROVIDER_COLUMNS}
        rows={providers}
        rowKey={({ workerId, part, name }) => `${workerId} ${part} ${name}`}
        empty={labels.providers}
      />
      <p className={styles.muted}>{labels.providersText}</p>
    </Section>
  );
};

/** The runtimes that take the calls, and their queues. */
export default function RuntimesPage() {
  const runtimes = api.useQuery('get', '/api/runtimes', {}, { refetchInterval: POLL_MS });
  return (
    <Page title={labels.title}>
      <Loaded query={runtimes} isCurrent>
        {({ data }) => (
          <>
            <Problems runtimes={data} />
            <MissingModel />
            <Section title={labels.workers}>
              <Table
                caption={labels.workers}
                columns={WORKER_COLUMNS}
                rows={data.workers}
                rowKey={({ worker_id }) => worker_id}
                empty={labels.noWorkers}
              />
            </Section>
            <Providers workers={data.workers} />
            <Section title={labels.queues}>
              <Table
                caption={labels.queues}
                columns={QUEUE_COLUMNS}
                rows={data.queues}
                rowKey={({ name }) => name}
                empty={labels.noQueues}
              />
            </Section>
            <Section
              title={labels.broker}
              actions={
                <Badge tone={data.broker.state === 'up' ? 'good' : 'bad'}>
                  {labels.states[data.broker.state]}
                </Badge>
              }
            >
              <Facts
                facts={[
                  { name: labels.brokerKind, value: labels.kinds[data.broker.kind] },
                  { name: labels.deadCalls, value: countText(data.dead.calls) },
                  { name: labels.deadEvents, value: countText(data.dead.events) },
                ]}
              />
              <p className={styles.muted}>{labels.deadText}</p>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const countText = (count: number | null) => count?.toLocaleString() ?? texts.common.unknown;

/** An event announces a change of the broker's state. */
const Problems = ({ runtimes }: { runtimes: Schemas['RuntimesDto'] }) => {
  const problems = runtimeProblems(runtimes);
  return (
    <div role="status">
      {problems.length > 0 ? (
        <Section title={texts.attention.title}>
          <ProblemList label={texts.attention.title} badges={texts.attention.badges} problems={problems} />
        </Section>
      ) : (
        <p>{labels.allWell}</p>
      )}
    </div>
  );
};
