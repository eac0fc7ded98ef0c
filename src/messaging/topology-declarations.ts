import { DELIVERY_LIMIT, Topology } from './topology';

export interface ExchangeDeclaration {
  name: string;
  type: 'topic' | 'fanout' | 'direct';
  /** Takes what no binding of this exchange matches. */
  alternateExchange?: string;
}

/**
 * A durable quorum queue, all of them: a classic queue whose cluster node is down can't even be declared, and the whole
 * server would wait for that node.
 */
export interface QueueDeclaration {
  name: string;
  /** Where a message goes that is rejected, expires, or is given back past `deliveryLimit`. */
  deadLetterQueue?: string;
  deliveryLimit?: number;
  messageTtlMs?: number;
  /** Past it the oldest message makes room. */
  maxLength?: number;
}

export interface BindingDeclaration {
  queue: string;
  exchange: string;
  routingKey: string;
}

const DAY_MS = 86_400_000;

/** Of claims on the exchange of events. Must not match the key of events, `call.#`. */
const CLAIM_KEY = 'claim';

/** Everything that Parley declares, as data: each broker builds the same from it. */
export function topologyDeclarations(names: Topology) {
  const exchanges: ExchangeDeclaration[] = [
    { name: names.unroutedCalls, type: 'fanout' },
    { name: names.calls, type: 'topic', alternateExchange: names.unroutedCalls },
    { name: names.events, type: 'topic' },
    { name: names.commands, type: 'direct' },
  ];
  const queues: QueueDeclaration[] = [
    callsQueue(names.callsQueue, names),
    // A call start that expires is dead-lettered too: the limits keep an outage of all workers from piling them up.
    { name: names.deadCallsQueue, messageTtlMs: DAY_MS, maxLength: 10_000, ...looksAllowed },
    // A worker waits seconds for its answer and then asks again.
    { name: names.claimsQueue, messageTtlMs: 10_000 },
    { name: names.eventsQueue, deadLetterQueue: names.deadEventsQueue, deliveryLimit: DELIVERY_LIMIT },
    { name: names.deadEventsQueue, messageTtlMs: 7 * DAY_MS, ...looksAllowed },
    { name: names.canaryQueue, messageTtlMs: 10_000, maxLength: 1 },
  ];
  const bindings: BindingDeclaration[] = [
    { queue: names.callsQueue, exchange: names.unroutedCalls, routingKey: '' },
    { queue: names.eventsQueue, exchange: names.events, routingKey: 'call.#' },
    // For workers without permission for the default exchange, through which any queue can be written to.
    { queue: names.claimsQueue, exchange: names.events, routingKey: CLAIM_KEY },
  ];
  return { exchanges, queues, bindings };
}

/** A queue of call starts: the default one, or a worker pool's own. */
export function callsQueue(name: string, names: Topology): QueueDeclaration {
  return { name, deadLetterQueue: names.deadCallsQueue, deliveryLimit: DELIVERY_LIMIT };
}

// RabbitMQ 4 drops a message that was looked at (taken and given back) 20 times unless told otherwise; 3.10 knows no
// "never". Whoever looks through dead letters in the management page must not delete them by it.
const looksAllowed = { deliveryLimit: 1_000_000 };
