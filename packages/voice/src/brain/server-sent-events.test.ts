import { dataOfEvents } from './server-sent-events';

async function read(...parts: Uint8Array[]): Promise<string[]> {
  const found: string[] = [];
  const stream = (async function* () {
    for (const part of parts) yield await Promise.resolve(part);
  })();
  for await (const data of dataOfEvents(stream)) found.push(data);
  return found;
}

const TEXT = ': comment\r\n\r\ndata: {"a":"é"}\r\n\r\nevent: x\ndata:1\ndata: 2\n\ndata: last';

test('events are read wherever the stream is cut', async () => {
  const bytes = new TextEncoder().encode(TEXT);
  for (let cut = 0; cut < bytes.length; cut++) {
    expect(await read(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(['{"a":"é"}', '1\n2', 'last']);
  }
});

test('a stream that is one JSON is read whole, wherever it is cut', async () => {
  const json = JSON.stringify({ a: ['é', '\n\ndata: 1'], b: {} }, undefined, 2);
  const bytes = new TextEncoder().encode(`${json}\n\n`);
  for (let cut = 0; cut < bytes.length; cut++) {
    const [whole = ''] = await read(bytes.subarray(0, cut), bytes.subarray(cut));
    expect(JSON.parse(whole)).toEqual(JSON.parse(json));
  }
});

test('a line of JSON between events is none of them', async () => {
  expect(await read(new TextEncoder().encode('{\ndata: 1\n\ndata: 2\n\n'))).toEqual(['1', '2']);
});

test('an event without an end is refused', async () => {
  await expect(read(new Uint8Array(1_000_001).fill(65))).rejects.toThrow('larger than 1 MB');
  const empty = new TextEncoder().encode(`{${'\n'.repeat(1_000)}`);
  await expect(read(...Array<Uint8Array>(1_000).fill(empty))).rejects.toThrow('larger than 1 MB');
  const line = new TextEncoder().encode(`data: ${'x'.repeat(1_000)}\n`);
  await expect(read(...Array<Uint8Array>(1_000).fill(line))).rejects.toThrow('larger than 1 MB');
});

test('an event is read, however small its parts are', async () => {
  const bytes = new TextEncoder().encode(`data: ${'x'.repeat(900_000)}\n\n`);
  const parts = Array.from({ length: Math.ceil(bytes.length / 30) }, (_, at) =>
    bytes.subarray(30 * at, 30 * at + 30),
  );
  expect((await read(...parts))[0]).toHaveLength(900_000);
});
