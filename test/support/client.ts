import { request } from 'node:http';

export interface Answer {
  status: number;
  headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
  body: any;
}

/** Sends requests to the API with one credential. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly credential: Record<string, string> = {},
  ) {}

  /** Returns a client of the same API with another credential, such as `{ authorization: 'Bearer …' }`. */
  with(credential: Record<string, string>): ApiClient {
    return new ApiClient(this.baseUrl, credential);
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.send('POST', path, body);
  }

  put(path: string, body?: unknown): Promise<Answer> {
    return this.send('PUT', path, body);
  }

  patch(path: string, body?: unknown): Promise<Answer> {
    return this.send('PATCH', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path);
  }

  send(method: string, path: string, body?: unknown): Promise<Answer> {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.raw(path, {
      method,
      headers: json,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  /** Sends any body and headers. */
  async raw(path: string, { headers, body, ...options }: RequestInit): Promise<Answer> {
    const { method = 'GET', ...more } = options;
    const all = { ...this.credential, ...(headers as Record<string, string>) };
    const url = new URL(this.baseUrl + path);
    const isText = typeof body === 'string' || !body;
    const { text, ...answer } =
      isText && Object.keys(more).length === 0
        ? await sendText(url, method, all, body ?? undefined)
        : await fetchText(url, { ...options, headers: all, body });
    const isJson = answer.headers.get('content-type')?.includes('json');
    return { ...answer, body: isJson ? JSON.parse(text) : text };
  }
}

interface TextAnswer {
  status: number;
  headers: Headers;
  text: string;
}

const isEventStream = (headers: Headers) => headers.get('content-type')?.startsWith('text/event-stream');

/** Sends a request by `http`, which takes a fifth of the CPU time of `fetch`. */
const sendText = (url: URL, method: string, headers: Record<string, string>, body?: string) =>
  new Promise<TextAnswer>((resolve, reject) => {
    const length: Record<string, number> =
      body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method, headers: { ...headers, ...length } }, (response) => {
      const { statusCode: status = 0, headersDistinct } = response;
      const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const answer = { status, headers: new Headers(pairs) };
      const chunks: Buffer[] = [];
      response.on('error', reject);
      // An event stream does not end by itself.
      if (isEventStream(answer.headers)) {
        response.destroy();
        resolve({ ...answer, text: '' });
        return;
      }
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ ...answer, text: new TextDecoder().decode(Buffer.concat(chunks)) }));
    });
    sent.on('error', reject).end(body);
  });

/** Sends forms and streams, and takes all options of `fetch`. */
async function fetchText(url: URL, init: RequestInit): Promise<TextAnswer> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  if (isEventStream(headers)) await response.body?.cancel();
  return { status, headers, text: response.bodyUsed ? '' : await response.text() };
}
