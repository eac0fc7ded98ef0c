const MAX_EVENT = 1_000_000;

/**
 * The `data` of each event of a stream. Some servers send one JSON instead, which is read as an event.
 * @throws what the stream throws, and for an event of more than 1 MB
 */
export async function* dataOfEvents(stream: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  // The parts of a line are joined at its end only, or a line in many parts would take the square of its length.
  let line: string[] = [];
  let data: string[] = [];
  let json: string[] = [];
  let size = 0;
  let held = '';
  for await (const bytes of stream) {
    const text = held + decoder.decode(bytes, { stream: true });
    // A \r at the end may be the first half of \r\n.
    held = text.endsWith('\r') ? '\r' : '';
    const [more = '', ...next] = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
    line.push(more);
    size += text.length - held.length;
    for (const start of next) {
      const whole = line.join('');
      line = [start];
      if (whole.startsWith('data:')) {
        data.push(whole.slice(whole.startsWith('data: ') ? 6 : 5));
        json = [];
      } else if (json.length > 0 || (data.length === 0 && whole.startsWith('{'))) json.push(whole);
      if (whole !== '' || json.length > 0) continue;
      if (data.length > 0) yield data.join('\n');
      data = [];
      size = start.length;
    }
    if (size > MAX_EVENT) throw new Error('An event is larger than 1 MB');
  }
  const last = line.join('');
  if (last.startsWith('data:')) data.push(last.slice(5).trim());
  else if (json.length > 0 || last.startsWith('{')) json.push(last);
  if (data.length > 0) yield data.join('\n');
  if (json.length > 0) yield json.join('\n');
}
