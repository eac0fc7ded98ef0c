import { useMutation } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { api, type Schemas } from '../../api/client';
import { resendWebhook } from '../../api/given-up-webhooks';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { Facts } from '../../ui/facts';
import { FailureNotice } from '../../ui/failure-notice';
import { Loaded } from '../../ui/loaded';
import { Page, Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import { DeliveryStatus } from './delivery-table';
import styles from './webhooks.module.css';

type Attempt = Schemas['AttemptDto'];

const labels = texts.webhooks;

const COLUMNS: Column<Attempt>[] = [
  { key: 'number', header: labels.attempt.number, cell: ({ number }) => number, phone: 'named' },
  {
    key: 'started',
    header: labels.attempt.started,
    cell: ({ started_at }) => <TimeText at={started_at} hasSeconds />,
    phone: 'title',
  },
  {
    key: 'duration',
    header: labels.attempt.duration,
    cell: ({ duration_ms }) => (duration_ms === null ? labels.underWay : labels.milliseconds(duration_ms)),
    align: 'end',
  },
  {
    key: 'answer',
    header: labels.attempt.answer,
    cell: ({ status_code }) => status_code ?? labels.noAnswer,
    align: 'end',
    phone: 'aside',
  },
  {
    key: 'error',
    header: labels.attempt.error,
    cell: ({ error }) => <span className={styles.long}>{error}</span>,
  },
];

/** The answer of the receiver to an attempt, as far as it is kept. */
function ReceiverAnswer({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) {
  const { number, status_code, answer } = attempt;
  if (!answer) return null;
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details open={isOpen}>
      <summary>{labels.answerTo(number, status_code ?? labels.noAnswer)}</summary>
      <pre className={styles.payload} tabIndex={0} dir="auto">
        {[...headers, '', answer.body || labels.emptyBody].join('\n')}
      </pre>
    </details>
  );
}

/** A webhook with its attempts and its payload. */
export default function WebhookPage() {
  const { id = '' } = useParams();
  const params = { params: { path: { delivery_id: id } } };
  const delivery = api.useQuery('get', '/api/webhooks/deliveries/{delivery_id}', params, {
    // No event announces an attempt, so the page polls.
    refetchInterval: ({ state }) => (state.data?.data.status === 'pending' ? 2_000 : false),
  });
  const replay = useMutation({
    mutationFn: () => resendWebhook(id),
    onSuccess: () => delivery.refetch(),
  });
  return (
    <Page
      title={delivery.data ? labels.delivery(delivery.data.data.type) : labels.title}
      actions={
        delivery.data && (
          <>
            <span role="status">
              <DeliveryStatus status={delivery.data.data.status} />
            </span>
            <Button needs="operate" act={replay} onClick={() => replay.mutate()}>
              {labels.replay}
            </Button>
          </>
        )
      }
    >
      {replay.isError && <FailureNotice error={replay.error} />}
      <Loaded query={delivery}>{({ data }) => <Delivery delivery={data} />}</Loaded>
    </Page>
  );
}

function Delivery({ delivery }: { delivery: Schemas['DeliveryDetailDto'] }) {
  const payload = JSON.stringify(delivery.payload, null, 2);
  return (
    <>
      <Section title={labels.details}>
        <Facts
          facts={[
            { name: labels.columns.url, value: delivery.url, isWide: true },
            { name: labels.created, value: <TimeText at={delivery.created_at} hasSeconds /> },
            {
              name: labels.columns.next,
              value: delivery.next_attempt_at && <TimeText at={delivery.next_attempt_at} />,
            },
            {
              name: labels.columns.givenUp,
              value: delivery.given_up_at && <TimeText at={delivery.given_up_at} hasSeconds />,
            },
            {
              name: labels.columns.call,
              value: delivery.conversation_id && (
                <Link href={`/calls/${delivery.conversation_id}`}>{labels.openCall}</Link>
              ),
            },
            { name: labels.columns.id, value: <code>{delivery.delivery_id}</code> },
          ]}
        />
      </Section>
      <Section title={labels.attempts}>
        <Table
          caption={labels.attempts}
          columns={COLUMNS}
          rows={delivery.attempts}
          rowKey={({ number }) => String(number)}
          empty={labels.noAttempts}
        />
        {delivery.attempts.map((attempt, index) => (
          <ReceiverAnswer
            key={attempt.number}
            attempt={attempt}
            isOpen={index === delivery.attempts.length - 1}
          />
        ))}
      </Section>
      <Section title={labels.payload} actions={<CopyButton text={payload} />}>
        <pre className={styles.payload} tabIndex={0}>
          {payload}
        </pre>
      </Section>
    </>
  );
}
