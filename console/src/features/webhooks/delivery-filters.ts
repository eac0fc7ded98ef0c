import { allValues } from '../../api/all-values';
import { DELIVERY_TYPES } from '../../api/delivery-types';
import type { Schemas } from '../../api/client';
import type { Filter } from '../../ui/filters/filter-bar';
import { texts } from '../../texts';

type Delivery = Schemas['DeliveryDto'];

const { fields, statuses } = texts.webhooks;

const STATUSES = allValues<Delivery['status']>({ pending: true, held: true, delivered: true, failed: true });

/** The filters of the API. */
export const DELIVERY_FILTERS: Filter[] = [
  {
    name: 'status',
    label: fields.status,
    choices: STATUSES.map((value) => ({ value, label: statuses[value] })),
  },
  { name: 'type', label: fields.type, choices: DELIVERY_TYPES.map((value) => ({ value, label: value })) },
  { name: 'url', label: fields.url, type: 'search' },
  { name: 'conversation_id', label: fields.conversation_id },
];
