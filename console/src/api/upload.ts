import { ApiFailure } from './failure';

interface Options {
  headers: Record<string, string>;
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
}

/**
 * Sends a form and tells how far it got, which fetch does not.
 * @returns the answer
 * @throws ApiFailure, or the reason of the signal
 */
export function upload(path: string, form: FormData, options: Options): Promise<Response> {
  const { headers, signal, onProgress } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.setRequestHeader('X-Parley-Session', '1');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(ApiFailure.ofNetwork(new Error('The connection broke.')));
    request.onabort = () => reject(signal.reason as Error);
    request.onload = () => {
      const response = responseOf(request);
      if (response.ok) resolve(response);
      else void ApiFailure.of(response).then(reject);
    };
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

/** What fetch would have answered, with the headers that are read. */
function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['Location', 'Retry-After', 'X-Request-Id']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText, { status: request.status, headers });
}
