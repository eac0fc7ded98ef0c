/** The `data` of each event of a stream. @throws what the stream throws */
export async function* dataOfEvents(stream: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let text = '';
  let data: string[] = [];
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    // A \r at the end may be the first half of \r\n.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      }
    }
    if (text.length > 1_000_000) throw new Error('An event is larger than 1 MB');
  }
  if (text.startsWith('data:')) data.push(text.slice(5).trim());
  if (data.length > 0) yield data.join('\n');
}
