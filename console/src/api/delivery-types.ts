import { allValues } from './all-values';
import type { Schemas } from './client';

/** The types of the events that webhooks deliver. */
export const DELIVERY_TYPES = allValues<Schemas['DeliveryDto']['type']>({
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
