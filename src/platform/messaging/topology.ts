/**
 * The names of everything that Parley declares on the broker. `docs/asyncapi.yaml` describes them for runtimes.
 * @param prefix BROKER_PREFIX, with which several installations can share one virtual host
 */
export function topologyNames(prefix: string) {
  return {
    /**
     * Topic exchange of call starts, key `call.start.<channel>.<agent_id>`, and by the CC header also
     * `call.start.<workspace_id>.<channel>.<agent_id>` and `call.<call_type>.<workspace_id>.<channel>.<agent_id>`.
     */
    calls: `${prefix}.calls`,
    /** Alternate exchange of `calls` (fanout): calls that no pool has bound a queue for go to `callsQueue`. */
    unroutedCalls: `${prefix}.calls.unrouted`,
    /** Quorum queue of the calls for which there is no narrower queue. */
    callsQueue: `${prefix}.calls.default`,
    /** Quorum queue of the voice runtimes' pool, which they declare and bind with {@link WEB_CALLS_KEY}. */
    webCallsQueue: `${prefix}.calls.webcall`,
    /** Quorum queue of the voice runtimes with a carrier, which they declare and bind with {@link PHONE_CALLS_KEY}. */
    phoneCallsQueue: `${prefix}.calls.phonecall`,
    /** Quorum queue of the rehearsals, which are call starts with the key {@link REHEARSALS_KEY}. */
    rehearsalsQueue: `${prefix}.calls.rehearsal`,
    /** The queue of call starts that were requeued too often, rejected, or expired. They are kept for a day. */
    deadCallsQueue: `${prefix}.calls.dead`,
    /**
     * Queue of claim requests, through the default exchange or through `events` with the key `claim`. Requests about
     * one workspace have the key `claim.<workspace_id>` or `incoming.<workspace_id>`.
     */
    claimsQueue: `${prefix}.claims`,
    /** Topic exchange of the events of runtimes, key = the type of the event without its version. */
    events: `${prefix}.events`,
    /** Quorum queue from which the server consumes events. */
    eventsQueue: `${prefix}.events.server`,
    /** The queue of malformed events. They are kept for a week. */
    deadEventsQueue: `${prefix}.events.dead`,
    /** Direct exchange of the server's commands for claimed calls, key = the `worker_id` of the claim. */
    commands: `${prefix}.commands`,
    /** Quorum queue of the readiness check, and of the reads that show that a node delivers. */
    canaryQueue: `${prefix}.canary`,
  } as const;
}

export type Topology = ReturnType<typeof topologyNames>;

/** The injection token of {@link Topology}. */
export const TOPOLOGY = Symbol('TOPOLOGY');

/**
 * The routing key of claims on the exchange of events. With a dot and the id of a workspace, claims are about the
 * calls of that workspace only. The key must not match that of events, `call.#`.
 */
export const CLAIM_KEY = 'claim';
export const INCOMING_KEY = 'incoming';

/** The routing key that selects the web calls of all workspaces. */
export const WEB_CALLS_KEY = 'call.webcall.#';
/** The routing key that selects the phone calls of all workspaces. */
export const PHONE_CALLS_KEY = 'call.phonecall.#';

/** The routing key of the rehearsals of all workspaces. */
export const REHEARSALS_KEY = 'call.rehearsal.#';

/** The number of times that a quorum queue redelivers a message before it dead-letters it. */
export const DELIVERY_LIMIT = 20;
