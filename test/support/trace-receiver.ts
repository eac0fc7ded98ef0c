import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number };

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Value }[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
}

/** A span as tests look at it. */
export interface ReceivedSpan extends Omit<SentSpan, 'attributes'> {
  attributes: Record<string, unknown>;
}

interface Sent {
  resourceSpans: { resource: unknown; scopeSpans: { spans: SentSpan[] }[] }[];
}

/** A receiver of OTLP over HTTP with JSON, which keeps what it gets. */
export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Everything that arrived, as it was sent. */
  raw = '';
  readonly headers: Record<string, unknown>[] = [];
  /** The status of the answers. */
  status = 200;
  /** Whether it takes requests and answers none. */
  isHanging = false;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceReceiver> {
    const server = createServer();
    const receiver = new TraceReceiver(server);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        if (receiver.isHanging) return;
        receiver.receive(request.url ?? '', body);
        receiver.headers.push(request.headers);
        response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The spans of one trace, by their names. */
  namesOf(traceId: string): string[] {
    return this.ofTrace(traceId).map(({ name }) => name);
  }

  ofTrace(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private receive(path: string, body: string): void {
    this.raw += body;
    if (path !== '/v1/traces') throw new Error(`Traces were sent to ${path}.`);
    const { resourceSpans } = JSON.parse(body) as Sent;
    for (const { scopeSpans } of resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ ...span, attributes: Object.fromEntries(span.attributes.map(toEntry)) });
      }
    }
  }
}

const toEntry = ({ key, value }: SentSpan['attributes'][number]) => [key, Object.values(value)[0]] as const;
