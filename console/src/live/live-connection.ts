import { forgetCounts, type LiveEvent, publish } from './live-events';

const LOCK = 'parley-live';
const CHANNEL = 'parley-live';
const POLL_MS = 10_000;
const KINDS = ['counts', 'call', 'campaign', 'tool', 'rehearsal'] as const satisfies LiveEvent['kind'][];

/** The server sends an event at least every 15 seconds. After this time without one, the connection is lost. */
const SILENCE_MS = 35_000;
const CHECK_MS = 1_000;

/** Listens to the stream until the signal aborts. While the stream is interrupted, it emits `gap` every ten seconds. */
function listen(signal: AbortSignal, emit: (event: LiveEvent) => void): Promise<void> {
  let source: EventSource | undefined;
  let poll: number | undefined;
  let lastEventAt = Date.now();
  const noteEvent = () => {
    lastEventAt = Date.now();
  };
  const reportLoss = () => {
    emit({ kind: 'lost' });
    poll ??= window.setInterval(() => {
      emit({ kind: 'gap' });
      // After a refusal, the browser does not connect again by itself.
      if (source?.readyState === EventSource.CLOSED) connect();
    }, POLL_MS);
  };
  const connect = () => {
    source?.close();
    noteEvent();
    source = new EventSource('/api/live');
    source.onopen = () => {
      noteEvent();
      window.clearInterval(poll);
      poll = undefined;
      emit({ kind: 'back' });
      emit({ kind: 'gap' });
    };
    source.onerror = reportLoss;
    source.addEventListener('alive', noteEvent);
    for (const kind of KINDS) {
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
        noteEvent();
        emit({ kind, ...(JSON.parse(data) as object) } as LiveEvent);
      });
    }
  };
  const check = window.setInterval(() => {
    if (Date.now() - lastEventAt < SILENCE_MS) return;
    // The browser sees no error while the server keeps the connection open and is silent.
    reportLoss();
    connect();
  }, CHECK_MS);
  connect();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      window.clearInterval(check);
      window.clearInterval(poll);
      source?.close();
      resolve();
    });
  });
}

/**
 * Connects this tab to the stream of changes while it is visible. A lock chooses one visible tab, which has the stream and
 * sends its events to the others: a browser has six connections to a server, and each stream would use one.
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
    // The next session may be that of another workspace.
    forgetCounts();
  };
}
