import type { ExportFormat, ExportWriters } from './export-formats';
import type { StreamedAnswer } from './streamed-answers';

interface Export<Item> {
  /** The name of the file, without its extension. */
  name: string;
  format: ExportFormat;
  writers: ExportWriters<Item>;
  /** Reads the next batch on demand. It holds nothing in between. */
  batches: AsyncGenerator<Item[], void>;
}

/** The file of an export, as `StreamedAnswers` write it. */
export const exportedFile = <Item>({ name, format, writers, batches }: Export<Item>): StreamedAnswer => ({
  kind: 'export',
  headers: {
    'Content-Type': writers[format].contentType,
    'Content-Disposition': `attachment; filename="${name}.${format}"`,
  },
  parts: writeTexts(writers[format], batches),
});

async function* writeTexts<Item>(
  writer: ExportWriters<Item>[ExportFormat],
  batches: AsyncGenerator<Item[], void>,
): AsyncGenerator<string, void> {
  // The head is sent with the first batch, so that its failure is an answer.
  let head = writer.head;
  for await (const batch of batches) {
    const text = head + writer.lines(batch);
    head = '';
    if (text) yield text;
  }
  if (head) yield head;
}
