import { ApiFailure } from './failure';

interface Options {
  headers: Record<string, string>;
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
}

let underWay = 0;

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** While something is sent, the browser asks before it leaves the page. */
function count(change: 1 | -1): void {
  underWay += change;
  if (underWay > 0) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

/** Whether something would be lost if the page were left. */
export const isUploading = () => underWay > 0;

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
    // Before the promise is settled, after which the page may go on to another one.
    const end = (settle: () => void) => () => {
      count(-1);
      settle();
    };
    request.onerror = end(() => reject(ApiFailure.ofNetwork(request)));
    request.onabort = end(() => reject(signal.reason as Error));
    request.onload = end(() => {
      const response = responseOf(request);
      if (response.ok) resolve(response);
      else void ApiFailure.of(response).then(reject);
    });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    count(1);
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
