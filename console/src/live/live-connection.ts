import { type LiveEvent, publish } from './live-events';

const LOCK = 'parley-live';
const CHANNEL = 'parley-live';
const POLL_MS = 10_000;
const KINDS = ['counts', 'call', 'campaign'] as const;

/** Listens to the stream until the signal aborts. While a proxy cuts the stream, it says now and then that all may be old. */
function listen(signal: AbortSignal, emit: (event: LiveEvent) => void): Promise<void> {
  let source: EventSource | undefined;
  let poll: number | undefined;
  const connect = () => {
    source?.close();
    source = new EventSource('/api/live');
    source.onopen = () => {
      window.clearInterval(poll);
      poll = undefined;
      emit({ kind: 'back' });
      emit({ kind: 'gap' });
    };
    source.onerror = () => {
      emit({ kind: 'lost' });
      poll ??= window.setInterval(() => {
        emit({ kind: 'gap' });
        // After a refusal, the browser does not connect again by itself.
        if (source?.readyState === EventSource.CLOSED) connect();
      }, POLL_MS);
    };
    for (const kind of KINDS) {
      source.addEventListener(kind, ({ data }: MessageEvent<string>) =>
        emit({ kind, ...(JSON.parse(data) as object) } as LiveEvent),
      );
    }
  };
  connect();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      window.clearInterval(poll);
      source?.close();
      resolve();
    });
  });
}

/**
 * Connects this tab to what happens, while it is visible. Of all visible tabs one has the stream, which a lock decides,
 * and tells the others: a browser has six connections to a server, and each stream would keep one.
 * @returns the function that disconnects
 */
export function connectLive(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => publish(data);
  const emit = (event: LiveEvent) => {
    publish(event);
    channel.postMessage(event);
  };
  let current: AbortController | undefined;
  const follow = () => {
    if (document.hidden) {
      current?.abort();
      current = undefined;
      return;
    }
    if (current) return;
    current = new AbortController();
    const { signal } = current;
    publish({ kind: 'gap' });
    // Locks exist in secure contexts only.
    if (!('locks' in navigator)) void listen(signal, emit);
    else
      navigator.locks
        .request(LOCK, { signal }, () => listen(signal, emit))
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    current?.abort();
    channel.close();
  };
}
