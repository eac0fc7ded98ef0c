import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { showControls, toSafeJson } from './controls';

export type Cell = string | number | boolean | null | undefined;
/** A header of a table, and what a row has in it. */
export type Columns<Item> = Record<string, (item: Item) => Cell>;

const NO_BORDERS = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [
    [side, ''],
    [`${side}-mid`, ''],
    [`${side}-left`, ''],
    [`${side}-right`, ''],
  ]),
);

const STYLE = {
  chars: { ...NO_BORDERS, 'left-mid': '', 'mid-mid': '', 'right-mid': '', middle: '  ' },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};

/** Writes for people and for programs. Nothing that the API answers controls the terminal. */
export class Output {
  constructor(
    private readonly stdout: Writable,
    private readonly stderr: Writable,
  ) {}

  /** Writes a line of text. */
  async line(text: string): Promise<void> {
    await this.write(`${showControls(text)}\n`);
  }

  /** Writes a value as a line of JSON. */
  async json(value: unknown): Promise<void> {
    await this.write(`${toSafeJson(value)}\n`);
  }

  async table<Item>(columns: Columns<Item>, items: Item[]): Promise<void> {
    const rows = items.map((item) => Object.values(columns).map((read) => toText(read(item))));
    await this.writeTable([Object.keys(columns).map((header) => header.toUpperCase()), ...rows]);
  }

  /** Writes an object as a line for each field, with the path of a field within a part. */
  async object(value: object): Promise<void> {
    await this.writeTable(flatten(value));
  }

  /** Writes bytes as they are. */
  async write(text: string | Uint8Array): Promise<void> {
    if (!this.stdout.write(text)) await once(this.stdout, 'drain');
  }

  /** Writes a line that is not part of the result. */
  note(text: string): void {
    this.stderr.write(`${showControls(text)}\n`);
  }

  private async writeTable(rows: string[][]): Promise<void> {
    if (rows.length === 0) return;
    // JSON needs none, and starts faster.
    const { default: Table } = await import('cli-table3');
    const table = new Table(STYLE);
    for (const row of rows) table.push(row);
    const lines = table.toString().split('\n');
    await this.write(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
  }
}

const MILLISECONDS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/;

const toText = (cell: Cell): string => showControls(String(cell ?? '')).replace(MILLISECONDS, '$1Z');

function flatten(value: object, path = ''): string[][] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
    const key = `${path}${showControls(name)}`;
    if (typeof part !== 'object' || part === null) return [[key, toText(part as Cell)]];
    if (Object.keys(part).length === 0) return [[key, '']];
    if (!Array.isArray(part)) return flatten(part, `${key}.`);
    const isPlain = part.every((item) => typeof item !== 'object' || item === null);
    return isPlain ? [[key, toText(part.join(', '))]] : flatten(part, `${key}.`);
  });
}
