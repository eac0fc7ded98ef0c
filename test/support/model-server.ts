import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ModelRequest {
  model: string;
  messages: { role: string; content: string }[];
  temperature: number;
  max_tokens: number;
  tools?: { function: { name: string } }[];
}

/** A language model over the HTTP protocol that OpenAI and most model servers have. It gives prepared answers, in turn. */
export class ModelServer {
  readonly requests: ModelRequest[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param answers the parts of each answer */
  static async start(answers: string[][]): Promise<ModelServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const model = new ModelServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request: IncomingMessage, response) => {
      void json(request).then((body) => {
        const parts = answers[model.requests.push(body as ModelRequest) - 1] ?? [];
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const bytes of streamed(parts)) response.write(bytes);
        response.end();
      });
    });
    return model;
  }

  stop(): void {
    this.server.close();
  }
}

/** Sends the answer in pieces that end within lines and characters. */
function* streamed(parts: string[]): Generator<Buffer> {
  const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  const chunks = [chunk({ role: 'assistant', content: '' }), ...parts.map((content) => chunk({ content }))];
  const bytes = Buffer.from(`: a comment\n\n${chunks.join('')}data: [DONE]\n\n`);
  for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
}
