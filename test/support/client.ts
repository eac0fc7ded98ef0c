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
  async raw(path: string, init: RequestInit): Promise<Answer> {
    const headers = { ...this.credential, ...(init.headers as Record<string, string>) };
    const response = await fetch(this.baseUrl + path, { ...init, headers });
    const type = response.headers.get('content-type');
    // An event stream does not end by itself.
    if (type?.startsWith('text/event-stream')) await response.body?.cancel();
    const text = response.bodyUsed ? '' : await response.text();
    const isJson = type?.includes('json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
}
