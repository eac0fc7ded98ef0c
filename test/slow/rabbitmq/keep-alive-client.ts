import { Agent, request } from 'node:http';

export interface KeepAliveAnswer {
  status: number | undefined;
  connection: string | undefined;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
  body: any;
}

/** Sends requests one after the other on one connection, until the server closes it. */
export class KeepAliveClient {
  readonly answers: KeepAliveAnswer[] = [];
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {}

  /** @throws if the server refuses the connection, or closes it before the end of the answer */
  post(path: string, body: object): Promise<KeepAliveAnswer> {
    return new Promise((resolve, reject) => {
      const headers = { 'x-api-key': this.apiKey, 'content-type': 'application/json' };
      const sent = request(this.url + path, { method: 'POST', agent: this.agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', reject).on('end', () => {
          const { statusCode: status, headers } = response;
          resolve({ status, connection: headers.connection, body: JSON.parse(text) as unknown });
        });
      });
      sent.on('error', reject).end(JSON.stringify(body));
    });
  }

  /** Resolves with the code of the error that ended the requests. */
  async postUntilItFails(path: string, body: object): Promise<string | undefined> {
    try {
      for (;;) this.answers.push(await this.post(path, body));
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    } finally {
      this.agent.destroy();
    }
  }
}
