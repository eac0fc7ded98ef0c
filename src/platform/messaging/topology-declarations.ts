import { CLAIM_KEY, DELIVERY_LIMIT, INCOMING_KEY, REHEARSALS_KEY, Topology } from './topology';

export interface ExchangeDeclaration {
  name: string;
  type: 'topic' | 'fanout' | 'direct';
  /** The exchange that gets the messages that no binding of this exchange matches. */
  alternateExchange?: string;
}

/**
 * Every queue is a durable quorum queue: a classic queue whose cluster node is down cannot even be declared, and the
 * server would wait for that node.
 */
export interface QueueDeclaration {
  name: string;
  /** The queue that gets messages that are rejected, expire, or are requeued more than `deliveryLimit` times. */
  deadLetterQueue?: string;
  deliveryLimit?: number;
  messageTtlMs?: number;
  /** The largest number of messages; beyond it the oldest message is removed. */
  maxLength?: number;
}

export interface BindingDeclaration {
  queue: string;
  exchange: string;
  routingKey: string;
}

const DAY_MS = 86_400_000;

const HELLO_KEY = 'worker.hello';

/** Everything that Parley declares, as data. Each broker declares it in its own way. */
export function topologyDeclarations(names: Topology) {
  const exchanges: ExchangeDeclaration[] = [
    { name: names.unroutedCalls, type: 'fanout' },
    { name: names.calls, type: 'topic', alternateExchange: names.unroutedCalls },
    { name: names.events, type: 'topic' },
    { name: names.commands, type: 'direct' },
  ];
  const queues: QueueDeclaration[] = [
    callsQueue(names.callsQueue, names),
    // One that nobody plays is offered again or ends: a dead letter would need nobody.
    { name: names.rehearsalsQueue, deliveryLimit: DELIVERY_LIMIT },
    // Expired call starts are dead-lettered, too: without limits they would accumulate while there are no runtimes.
    { name: names.deadCallsQueue, messageTtlMs: DAY_MS, maxLength: 10_000, ...unlimitedReads },
    // A runtime waits seconds for its reply, and then sends the claim again.
    { name: names.claimsQueue, messageTtlMs: 10_000 },
    { name: names.eventsQueue, deadLetterQueue: names.deadEventsQueue, deliveryLimit: DELIVERY_LIMIT },
    { name: names.deadEventsQueue, messageTtlMs: 7 * DAY_MS, ...unlimitedReads },
    { name: names.canaryQueue, messageTtlMs: 10_000, maxLength: 1 },
  ];
  const bindings: BindingDeclaration[] = [
    { queue: names.callsQueue, exchange: names.unroutedCalls, routingKey: '' },
    { queue: names.rehearsalsQueue, exchange: names.calls, routingKey: REHEARSALS_KEY },
    { queue: names.eventsQueue, exchange: names.events, routingKey: 'call.#' },
    { queue: names.eventsQueue, exchange: names.events, routingKey: HELLO_KEY },
    // These bindings are for runtimes without permission for the default exchange, which can write to every queue.
    { queue: names.claimsQueue, exchange: names.events, routingKey: CLAIM_KEY },
    { queue: names.claimsQueue, exchange: names.events, routingKey: `${CLAIM_KEY}.*` },
    { queue: names.claimsQueue, exchange: names.events, routingKey: `${INCOMING_KEY}.*` },
  ];
  return { exchanges, queues, bindings };
}

/** A queue of call starts: the default one, or that of a runtime pool. */
export function callsQueue(name: string, names: Topology): QueueDeclaration {
  return { name, deadLetterQueue: names.deadCallsQueue, deliveryLimit: DELIVERY_LIMIT };
}

// By default, RabbitMQ 4 drops a message after 20 redeliveries; 3.10 has no value for "never". An operator who reads
// dead letters in the management page, which redelivers them, must not delete them.
const unlimitedReads = { deliveryLimit: 1_000_000 };
