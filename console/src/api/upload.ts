import { ApiFailure } from './failure';

interface Options {
  /** The HTTP method; the default is POST. */
  method?: 'PUT';
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Whether the server stores nothing of this request. */
  isReadOnly?: boolean;
  /** The sent part, from 0 to 1. */
  onProgress: (share: number) => void;
}

let underWay = 0;

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** The browser asks before it leaves the page during an upload. */
function count(change: 1 | -1): void {
  underWay += change;
  if (underWay > 0) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

/** Whether an upload is in progress, which would be lost if the user left the page. */
export const isUploading = () => underWay > 0;

/**
 * Sends a form and reports the progress, which fetch cannot do.
 * @returns the answer
 * @throws ApiFailure, or the reason of the signal
 */
export function upload(path: string, form: FormData, options: Options): Promise<Response> {
  const { method = 'POST', headers, signal, isReadOnly = false, onProgress } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const sent = { method: isReadOnly ? 'GET' : method, headers: new Headers(headers) };
    request.open(method, path);
    request.setRequestHeader('X-Parley-Session', '1');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    // The upload ends before the promise is settled, because the page may navigate then.
    const end = (settle: () => void) => () => {
      count(-1);
      settle();
    };
    request.onerror = end(() => reject(ApiFailure.fromNetworkError(request, sent)));
    request.onabort = end(() => reject(signal.reason as Error));
    request.onload = end(() => {
      const response = toResponse(request);
      if (response.ok) resolve(response);
      else void ApiFailure.fromResponse(response, sent).then(reject);
    });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    count(1);
    request.send(form);
  });
}

/** Creates the Response that fetch would have returned, with the headers that the console reads. */
function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['Location', 'Retry-After', 'X-Request-Id']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText, { status: request.status, headers });
}
