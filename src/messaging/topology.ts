/**
 * The names of everything that Parley declares on the broker; `docs/asyncapi.yaml` describes them for workers.
 * @param prefix BROKER_PREFIX: lets several installations share one virtual host.
 */
export function topologyNames(prefix: string) {
  return {
    /**
     * Topic exchange of call starts, key `call.start.<channel>.<agent_id>`, and by the CC header also
     * `call.start.<workspace_id>.<channel>.<agent_id>`.
     */
    calls: `${prefix}.calls`,
    /** Alternate exchange of `calls` (fanout): what no pool has bound for itself goes to `callsQueue`. */
    unroutedCalls: `${prefix}.calls.unrouted`,
    /** Quorum queue of the calls that no narrower queue takes. */
    callsQueue: `${prefix}.calls.default`,
    /** Where a call start goes that was given back too often, rejected, or not taken in its time; kept for a day. */
    deadCallsQueue: `${prefix}.calls.dead`,
    /** Queue of claim requests, through the default exchange or through `events` with the key `claim`. */
    claimsQueue: `${prefix}.claims`,
    /** Topic exchange of what workers report, key = the event's type without its version. */
    events: `${prefix}.events`,
    /** Quorum queue that the server reads its events from. */
    eventsQueue: `${prefix}.events.server`,
    /** Where an event goes that can't be understood; kept for a week. */
    deadEventsQueue: `${prefix}.events.dead`,
    /** Direct exchange of what the server tells workers about calls they hold, key = the claim's `worker_id`. */
    commands: `${prefix}.commands`,
    /** Quorum queue of the readiness check. */
    canaryQueue: `${prefix}.canary`,
  } as const;
}

export type Topology = ReturnType<typeof topologyNames>;

/** The injection token of {@link Topology}. */
export const TOPOLOGY = Symbol('TOPOLOGY');

/** How often a quorum queue gives a message out again before it dead-letters it. */
export const DELIVERY_LIMIT = 20;
