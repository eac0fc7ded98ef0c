import { api, type Schemas } from '../../api/client';
import { Badge } from '../../ui/badge';
import { Facts } from '../../ui/facts';
import { Loaded } from '../../ui/loaded';
import { Page, Section } from '../../ui/page';
import { ProblemList } from '../../ui/problem-list';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
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
