import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until';

/** A web server that answers each path as a test defines, and records the requests. */
export class ScriptedServer {
  readonly requests: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(answers: Record<string, RequestListener>, host = '127.0.0.1'): Promise<ScriptedServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const { port } = server.address() as AddressInfo;
    const scripted = new ScriptedServer(server, port);
    server.on('request', (request, response) => {
      scripted.requests.push(request.url ?? '');
      const answer = answers[request.url ?? ''];
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
    return scripted;
  }

  /** Waits until a path was requested. */
  async asked(path: string): Promise<void> {
    await until(() => this.requests.includes(path));
  }

  url(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const answering =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

export const redirecting = (location: string, status = 302): RequestListener =>
  answering('', { location }, status);
