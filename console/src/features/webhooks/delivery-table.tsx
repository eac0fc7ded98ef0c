import type { Schemas } from '../../api/client';
import { Badge, type Tone } from '../../ui/badge';
import { type Column, Table } from '../../ui/table/table';
import type { Selection } from '../../ui/table/table-choice';
import { momentText } from '../../ui/moment';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import styles from './webhooks.module.css';

type Delivery = Schemas['DeliveryDto'];

const labels = texts.webhooks;

const TONES: Record<Delivery['status'], Tone> = {
  delivered: 'good',
  failed: 'bad',
  pending: 'warn',
  held: 'warn',
};

export const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>) => (
  <Badge tone={TONES[status]}>{labels.statuses[status]}</Badge>
);

/** The answer to the latest attempt, in words. */
function answerText({ attempt_count, last_status_code, last_error }: Delivery): string {
  if (attempt_count === 0) return '';
  return last_error ?? String(last_status_code ?? labels.noAnswer);
}

const OneLine = ({ text }: { text: string }) => (
  <span className={styles.line} title={text}>
    {text}
  </span>
);

const COLUMNS: Column<Delivery>[] = [
  { key: 'type', header: labels.event, cell: ({ type }) => type },
  {
    key: 'status',
    header: labels.status,
    cell: ({ status }) => <DeliveryStatus status={status} />,
    phone: 'aside',
  },
  { key: 'created', header: labels.created, cell: ({ created_at }) => <TimeText at={created_at} /> },
  {
    key: 'url',
    header: labels.columns.url,
    cell: ({ url }) => <OneLine text={url} />,
    phone: 'rest',
  },
  {
    key: 'attempts',
    header: labels.columns.attempts,
    cell: ({ attempt_count }) => attempt_count,
    align: 'end',
    isMinor: true,
  },
  {
    key: 'answer',
    header: labels.columns.answer,
    cell: (delivery) => <OneLine text={answerText(delivery)} />,
    isMinor: true,
  },
  {
    key: 'next',
    header: labels.columns.next,
    cell: ({ next_attempt_at }) => next_attempt_at && <TimeText at={next_attempt_at} />,
    isMinor: true,
  },
];

interface Props {
  deliveries: Delivery[];
  empty: string;
  /** The chosen ones. Left out: none can be chosen. */
  selection?: Omit<Selection<Delivery>, 'label'>;
}

export const DeliveryTable = ({ deliveries, empty, selection }: Props) => (
  <Table
    caption={labels.deliveries}
    columns={COLUMNS}
    rows={deliveries}
    rowKey={({ delivery_id }) => delivery_id}
    rowHref={({ delivery_id }) => `/webhooks/${delivery_id}`}
    selection={
      selection && {
        ...selection,
        label: ({ type, created_at }) => labels.choose(type, momentText(created_at)),
      }
    }
    empty={empty}
  />
);
