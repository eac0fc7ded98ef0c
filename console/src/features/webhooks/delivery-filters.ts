import { allValues } from '../../api/all-values';
import type { Schemas } from '../../api/client';
import type { Filter } from '../../ui/filters/filter-bar';
import { texts } from '../../texts';

type Delivery = Schemas['DeliveryDto'];

const { fields, statuses } = texts.webhooks;

const STATUSES = allValues<Delivery['status']>({ pending: true, held: true, delivered: true, failed: true });

const TYPES = allValues<Delivery['type']>({
  'call.started': true,
  'call.ended': true,
  'call.failed': true,
  'call.corrected': true,
  'call.transcript_ready': true,
  'call.recorded': true,
  'call.analyzed': true,
  'call.warning': true,
  'call.tool_unknown': true,
  'number.opted_out': true,
  'webhook.test': true,
});

/** The filters of the API. */
export const DELIVERY_FILTERS: Filter[] = [
  {
    name: 'status',
    label: fields.status,
    choices: STATUSES.map((value) => ({ value, label: statuses[value] })),
  },
  { name: 'type', label: fields.type, choices: TYPES.map((value) => ({ value, label: value })) },
  { name: 'url', label: fields.url, type: 'search' },
  { name: 'conversation_id', label: fields.conversation_id },
];
