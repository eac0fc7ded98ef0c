/**
 * The names of everything that Parley declares on the broker. `docs/asyncapi.yaml` describes them for runtimes.
 * @param prefix BROKER_PREFIX, with which several installations can share one virtual host
 */
export function topologyNames(prefix: string) {
  return {
    /**
     * Topic exchange of call starts, key `call.start.<channel>.<agent_id>`, and by the CC header also
     * `call.start.<workspace_id>.<channel>.<agent_id>`.
     */
    calls: `${prefix}.calls`,
    /** Alternate exchange of `calls` (fanout): calls that no pool has bound a queue for go to `callsQueue`. */
    unroutedCalls: `${prefix}.calls.unrouted`,
    /** Quorum queue of the calls for which there is no narrower queue. */
    callsQueue: `${prefix}.calls.default`,
    /** Call starts that were requeued too often, rejected, or expired. Kept for a day. */
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
    /** Malformed events. Kept for a week. */
    deadEventsQueue: `${prefix}.events.dead`,
    /** Direct exchange of the server's commands for claimed calls, key = the `worker_id` of the claim. */
    commands: `${prefix}.commands`,
    /** Quorum queue of the readiness check. */
    canaryQueue: `${prefix}.canary`,
  } as const;
}

export type Topology = ReturnType<typeof topologyNames>;

/** The injection token of {@link Topology}. */
export const TOPOLOGY = Symbol('TOPOLOGY');

/**
 * The routing keys of claims on the exchange of events. With a dot and the id of a workspace, they are about its calls
 * only. Must not match that of events, `call.#`.
 */
export const CLAIM_KEY = 'claim';
export const INCOMING_KEY = 'incoming';

/** How often a quorum queue redelivers a message before it dead-letters it. */
export const DELIVERY_LIMIT = 20;
