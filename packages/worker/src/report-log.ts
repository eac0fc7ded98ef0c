import { closeSync, ftruncateSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** A file smaller than this is not written anew. */
const COMPACT_BYTES = 1024 * 1024;

/**
 * A file of numbered entries. Each line has the checksum of its JSON, so that a line that was not written completely
 * is detected. A further line removes an entry. The file is written anew when most of its entries are removed.
 */
export class ReportLog<Entry extends object> {
  private readonly lines = new Map<Entry, { number: number; bytes: number }>();
  private file: number;
  private lastNumber = 0;
  private bytes = 0;
  private liveBytes = 0;
  private isTorn = false;

  constructor(private readonly path: string) {
    this.file = openSync(path, 'ax', 0o600);
  }

  add(entry: Entry): void {
    const number = (this.lastNumber += 1);
    const bytes = this.append(line({ put: number, entry }));
    this.lines.set(entry, { number, bytes });
    this.liveBytes += bytes;
  }

  remove(entries: Entry[]): void {
    const numbers = entries.flatMap((entry) => {
      const found = this.lines.get(entry);
      if (!found) return [];
      this.lines.delete(entry);
      this.liveBytes -= found.bytes;
      return found.number;
    });
    if (numbers.length === 0) return;
    if (this.lines.size === 0) this.clear();
    else if (this.bytes > Math.max(COMPACT_BYTES, 2 * this.liveBytes)) this.compact();
    else this.append(line({ remove: numbers }));
  }

  close(): void {
    closeSync(this.file);
  }

  private clear(): void {
    ftruncateSync(this.file);
    this.bytes = 0;
    this.isTorn = false;
  }

  private compact(): void {
    const unfinished = `${this.path}.unfinished`;
    const text = [...this.lines].map(([entry, { number }]) => line({ put: number, entry })).join('');
    writeFileSync(unfinished, text, { mode: 0o600 });
    const file = openSync(unfinished, 'a');
    renameSync(unfinished, this.path);
    closeSync(this.file);
    this.file = file;
    this.bytes = this.liveBytes = Buffer.byteLength(text);
    this.isTorn = false;
  }

  private append(text: string): number {
    // Without the line break, this line would be a part of the one that could not be written.
    const separated = this.isTorn ? `\n${text}` : text;
    this.isTorn = true;
    writeFileSync(this.file, separated);
    this.isTorn = false;
    const bytes = Buffer.byteLength(text);
    this.bytes += bytes;
    return bytes;
  }
}

/** Reads the file of another process. @returns its entries, and how many lines were not written completely */
export function readReportLog<Entry>(path: string): { entries: Entry[]; torn: number } {
  const entries = new Map<number, Entry>();
  let torn = 0;
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    if (text === '') continue;
    const record = parse<Entry>(text);
    if (record === undefined) torn += 1;
    else if ('put' in record) entries.set(record.put, record.entry);
    else for (const number of record.remove) entries.delete(number);
  }
  return { entries: [...entries.values()], torn };
}

type LogRecord<Entry> = { put: number; entry: Entry } | { remove: number[] };

function line(record: LogRecord<object>): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

function parse<Entry>(text: string): LogRecord<Entry> | undefined {
  const json = text.slice(9);
  if (text.slice(0, 9) !== `${checksum(json)} `) return undefined;
  return JSON.parse(json) as LogRecord<Entry>;
}

const checksum = (json: string) => crc32(json).toString(16).padStart(8, '0');
