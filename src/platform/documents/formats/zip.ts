import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { UnreadableDocumentError } from '../unreadable-document.error';
import { MarkupScan } from './markup-scan';

const MAX_ENTRIES = 10_000;
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024;

const open = promisify((bytes: Buffer, done: (error: Error | null, zip: ZipFile) => void) =>
  fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, done),
);

const tooLarge = () => new UnreadableDocumentError('it unpacks to more than 200 MiB');

/** XML under another name is limited by the reader process only. */
const isXml = ({ fileName }: Entry) => /\.(xml|rels)$/i.test(fileName);

const openEntry = (zip: ZipFile, entry: Entry) =>
  new Promise<Readable>((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
  );

/**
 * Unpacks an entry and discards its content; the library compares the size with the declared one meanwhile.
 * @throws UnreadableDocumentError if it is XML that is nested too deeply or is too large
 */
async function measure(zip: ZipFile, entry: Entry): Promise<number> {
  const stream = await openEntry(zip, entry);
  const scan = isXml(entry) ? new MarkupScan({ xml: true }) : undefined;
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The chunk is read as Latin-1, since it may end within a character of UTF-8; tags are ASCII.
    scan?.write(chunk.toString('latin1'));
  }
  scan?.end();
  return size;
}

/** The files in a ZIP file, by their names. */
export interface ZipEntries {
  has: (name: string) => boolean;
  read: (name: string) => Promise<Buffer>;
}

/**
 * Opens a ZIP file, after checking its unpacked size, both as declared and as measured, and the complexity of its XML.
 * @throws UnreadableDocumentError
 */
export async function openZip(bytes: Buffer): Promise<ZipEntries> {
  try {
    const zip = await open(bytes);
    const entries = new Map((await readEntries(zip)).map((entry) => [entry.fileName, entry]));
    return {
      has: (name) => entries.has(name),
      read: async (name) => {
        const entry = entries.get(name);
        if (!entry) throw new UnreadableDocumentError(`it has no ${name}`);
        return await buffer(await openEntry(zip, entry));
      },
    };
  } catch (error) {
    throw error instanceof UnreadableDocumentError
      ? error
      : new UnreadableDocumentError('it is a broken ZIP file');
  }
}

async function readEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  if (zip.entryCount > MAX_ENTRIES)
    throw new UnreadableDocumentError(`it has more than ${MAX_ENTRIES} entries`);
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject).on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
  const declared = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (declared > MAX_UNPACKED_BYTES) throw tooLarge();
  let actual = 0;
  for (const entry of entries) {
    if (entry.isEncrypted()) throw new UnreadableDocumentError('it is encrypted');
    actual += await measure(zip, entry);
    if (actual > MAX_UNPACKED_BYTES) throw tooLarge();
  }
  return entries;
}
