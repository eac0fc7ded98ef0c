import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { parseTraceparent } from '../../../platform/http/traceparent';
import type { IncomingMessage, MessageBroker } from '../../../platform/messaging/message-broker';
import { MESSAGE_TYPES } from '../../../platform/messaging/wire';
import { isTracing, SpanKind, toContext, traceWork } from '../../../platform/tracing/tracing';
import { CallTracesRepository } from './call-traces.repository';

/** The calls whose traces are known without a query. */
const MAX_KNOWN = 10_000;

/** A heartbeat changes nothing that a trace would show, and comes every few seconds. */
const UNTRACED: string[] = [MESSAGE_TYPES.heartbeat];

/** Records a span for each message of a runtime, in the trace of its call. */
@Injectable()
export class CallTraces {
  private readonly known = new LRUCache<string, string>({ max: MAX_KNOWN });

  constructor(private readonly calls: CallTracesRepository) {}

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
    const traceparent = callId === undefined ? '' : await this.find(callId, message);
    // A call without a trace was started when nothing was recorded.
    if (traceparent === '' && !isIncoming) return work();
    const parent = toContext(traceparent);
    return traceWork(
      `process ${message.type}`,
      {
        kind: SpanKind.CONSUMER,
        attributes: {
          'messaging.system': kind,
          'messaging.operation.name': 'process',
          'messaging.operation.type': 'process',
          ...(callId !== undefined && { 'parley.call_id': callId }),
        },
        ...(parent && { parent }),
      },
      work,
    );
  }

  /** The span of the runtime if the message has one in the trace of the call, else the span that started the call. */
  private async find(callId: string, { traceparent }: IncomingMessage): Promise<string> {
    let found = this.known.get(callId);
    if (found === undefined) {
      found = await this.calls.find(callId).catch(() => '');
      this.known.set(callId, found);
    }
    const given = parseTraceparent(traceparent ?? '');
    return found !== '' && given.split('-')[1] === found.split('-')[1] ? given : found;
  }
}
