import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { parseTraceparent } from '../../../platform/http/traceparent';
import type { IncomingMessage, MessageBroker } from '../../../platform/messaging/message-broker';
import { TOPOLOGY, type Topology } from '../../../platform/messaging/topology';
import { MESSAGE_TYPES } from '../../../platform/messaging/wire';
import { isTracing, SpanKind, toContext, traceWork } from '../../../platform/tracing/tracing';
import type { CallTrace } from './call-trace';
import { CallTracesRepository } from './call-traces.repository';

/** The calls whose traces are known without a query. */
const MAX_KNOWN = 10_000;

/** A heartbeat changes nothing that a trace would show, and comes every few seconds. */
const UNTRACED: string[] = [MESSAGE_TYPES.heartbeat];

/** The requests of runtimes, which have a queue of their own. */
const REQUESTS: string[] = [MESSAGE_TYPES.claim, MESSAGE_TYPES.incoming];

/** Records a span for each message of a runtime, in the trace of its call. */
@Injectable()
export class CallTraces {
  private readonly known = new LRUCache<string, CallTrace | 'none'>({ max: MAX_KNOWN });

  constructor(
    private readonly calls: CallTracesRepository,
    @Inject(TOPOLOGY) private readonly topology: Topology,
  ) {}

  /** Runs the handler of a message. */
  async run(
    message: IncomingMessage,
    kind: MessageBroker['kind'],
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    if (!isTracing() || UNTRACED.includes(message.type)) return work();
    const { conversation_id } = (message.body ?? {}) as { conversation_id?: unknown };
    const callId = isUUID(conversation_id) ? (conversation_id as string).toLowerCase() : undefined;
    const isIncoming = message.type === MESSAGE_TYPES.incoming;
    if (callId === undefined && !isIncoming) return work();
    const trace = callId === undefined ? undefined : await this.find(callId);
    // A call without a trace was started when nothing was recorded.
    if (!trace && !isIncoming) return work();
    const parent = trace && toContext(choosePlace(trace, message));
    return traceWork(
      `process ${message.type}`,
      {
        kind: SpanKind.CONSUMER,
        attributes: {
          'messaging.system': kind,
          'messaging.operation.name': 'process',
          'messaging.operation.type': 'process',
          // A runtime may write anything into a routing key, so that none is recorded.
          'messaging.destination.name': REQUESTS.includes(message.type)
            ? this.topology.claimsQueue
            : this.topology.eventsQueue,
          ...(callId !== undefined && { 'parley.call_id': callId }),
          ...(trace && { 'parley.workspace_id': trace.workspaceId, 'parley.agent_id': trace.agentId }),
        },
        ...(parent && { parent }),
      },
      work,
    );
  }

  /** A look-up that fails leaves one message without a span, and is made again for the next one. */
  private async find(callId: string): Promise<CallTrace | undefined> {
    let found = this.known.get(callId);
    if (found === undefined) {
      try {
        found = (await this.calls.find(callId)) ?? 'none';
      } catch {
        return undefined;
      }
      this.known.set(callId, found);
    }
    return found === 'none' ? undefined : found;
  }
}

/** The span of the runtime if the message has one in the trace of the call, else the span that started the call. */
function choosePlace({ traceparent: started }: CallTrace, { traceparent }: IncomingMessage): string {
  const given = parseTraceparent(traceparent ?? '');
  return given.split('-')[1] === started.split('-')[1] ? given : started;
}
