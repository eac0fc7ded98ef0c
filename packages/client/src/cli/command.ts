import { Command, InvalidArgumentError } from 'commander';
import type { List } from '../list';
import type { Cli } from './cli';
import type { Columns } from './output';

/** The number of rows of a table, unless --limit gives another one. */
const TABLE_ROWS = 50;

export function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 on.');
}

/** Adds a command with the flag --json, which every command has. */
export const addCommand = (parent: Command, nameAndArguments: string, description: string): Command =>
  parent
    .command(nameAndArguments)
    .description(description)
    .option('--json', 'print JSON: an object, or a line for each entry of a list');

export const addListCommand = (parent: Command, nameAndArguments: string, description: string): Command =>
  addCommand(parent, nameAndArguments, description).option(
    '--limit <number>',
    `the number of entries (default: ${TABLE_ROWS}, with --json all)`,
    parseCount,
  );

export const isJson = (command: Command): boolean => command.getOptionValue('json') === true;

/** Prints a list as a table, or as a line of JSON for each entry. */
export async function printList<Item>(
  { output }: Cli,
  command: Command,
  list: List<Item>,
  columns: Columns<Item>,
): Promise<void> {
  const given = command.getOptionValue('limit') as number | undefined;
  const limit = given ?? (isJson(command) ? Infinity : TABLE_ROWS);
  const rows: Item[] = [];
  let count = 0;
  for await (const item of list) {
    if (count === limit) {
      if (given === undefined)
        output.note(`There are more than ${limit}. --limit shows others, --json shows all.`);
      break;
    }
    count += 1;
    if (isJson(command)) await output.json(item);
    else rows.push(item);
  }
  if (!isJson(command)) await output.table(columns, rows);
}

/** Prints an object as a line for each field, or as JSON. */
export const printObject = ({ output }: Cli, command: Command, value: object): Promise<void> =>
  isJson(command) ? output.json(value) : output.object(value);

/** Prints the id of something new alone, so that a shell can keep it, or the whole answer as JSON. */
export const printCreated = ({ output }: Cli, command: Command, id: string, answer: object): Promise<void> =>
  isJson(command) ? output.json(answer) : output.line(id);

/** Prints a sentence about what was done, or the answer as JSON. */
export const printDone = (
  { output }: Cli,
  command: Command,
  sentence: string,
  answer: object,
): Promise<void> => (isJson(command) ? output.json(answer) : output.line(sentence));
