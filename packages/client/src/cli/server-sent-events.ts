export interface ServerSentEvent {
  event: string;
  /** From its JSON. */
  data: unknown;
}

/** Reads a stream of server-sent events as Parley writes them: a name, and one line of JSON. */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of stream) {
    const blocks = (rest + decoder.decode(part, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => readField(line)));
      const data = fields.get('data');
      if (data !== undefined) yield { event: fields.get('event') ?? 'message', data: JSON.parse(data) };
    }
  }
}

function readField(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
  return [name, value];
}
