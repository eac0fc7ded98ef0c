import type { TestWorkspace } from './parley';

interface ServerSentEvent {
  event: string;
  data: Record<string, unknown>;
}

/** Listens to the event stream of a workspace, as a page does. */
export class EventListener {
  readonly events: ServerSentEvent[] = [];
  readonly aborting = new AbortController();
  /** Resolves with `ended` or `cut` when the stream is over. */
  readonly end: Promise<'ended' | 'cut'>;

  private constructor(response: Response) {
    this.end = this.read(response).then(
      () => 'ended',
      () => 'cut',
    );
  }

  static async open(url: string, { apiKey }: TestWorkspace): Promise<EventListener> {
    const response = await fetch(`${url}/api/live`, { headers: { 'x-api-key': apiKey } });
    if (response.status !== 200) throw new Error(`The stream was refused: ${await response.text()}`);
    return new EventListener(response);
  }

  of(event: string) {
    return this.events.filter((each) => each.event === event).map(({ data }) => data);
  }

  close(): void {
    this.aborting.abort();
  }

  private async read(response: Response): Promise<void> {
    const { signal } = this.aborting;
    const decoder = new TextDecoder();
    let text = '';
    const stream = response.body as ReadableStream<Uint8Array>;
    const reader = stream.getReader();
    signal.addEventListener('abort', () => void reader.cancel());
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      text += decoder.decode(chunk.value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() as string;
      for (const block of blocks) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (event && data) this.events.push({ event, data: JSON.parse(data) as Record<string, unknown> });
      }
    }
  }
}
