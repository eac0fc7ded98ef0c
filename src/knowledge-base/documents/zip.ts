import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { Unreadable } from '../unreadable';

const MAX_ENTRIES = 10_000;
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024;

const open = promisify((bytes: Buffer, done: (error: Error | null, zip: ZipFile) => void) =>
  fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, done),
);

const tooLarge = () => new Unreadable('it unpacks to more than 200 MiB');

/** Unpacks an entry without keeping it; the library compares its size with the declared one as it goes. */
async function weigh(zip: ZipFile, entry: Entry): Promise<number> {
  const stream = await new Promise<Readable>((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) size += chunk.length;
  return size;
}

/**
 * Makes sure that a ZIP file unpacks to a modest size, by what it declares and by what is in it.
 * @returns the names of its entries
 */
export async function assertModestZip(bytes: Buffer): Promise<string[]> {
  try {
    return await namesOf(await open(bytes));
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('it is a broken ZIP file');
  }
}

async function namesOf(zip: ZipFile): Promise<string[]> {
  const entries: Entry[] = [];
  if (zip.entryCount > MAX_ENTRIES) throw new Unreadable(`it has more than ${MAX_ENTRIES} entries`);
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
    if (entry.isEncrypted()) throw new Unreadable('it is encrypted');
    actual += await weigh(zip, entry);
    if (actual > MAX_UNPACKED_BYTES) throw tooLarge();
  }
  return entries.map(({ fileName }) => fileName);
}
