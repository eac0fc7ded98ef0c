import type { Command } from 'commander';
import { BODY_FIELDS, QUERY_FIELDS } from '../../generated/cli-options';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, addListCommand, isJson, printDone, printList } from '../command';
import { addFields, type BodyRenames, readBody, readQuery } from '../flags';
import { readInput } from '../input';
import { ROW_ERROR_COLUMNS } from '../row-errors';

type Entry = Schemas['DoNotCallEntryDto'];

const COLUMNS = {
  number: ({ phone_number }: Entry) => phone_number,
  source: ({ source }: Entry) => source,
  reason: ({ reason }: Entry) => reason,
  listed: ({ created_at }: Entry) => created_at,
  expires: ({ expires_at }: Entry) => expires_at,
};

/** The number is an argument. */
const NO_FLAGS: BodyRenames<'AddDoNotCallDto'> = { phone_number: null };

export function addDncCommands(program: Command, cli: Cli): void {
  const dnc = program.command('dnc').description('the do-not-call list');

  const list = addListCommand(dnc, 'list', 'list the numbers that are not called');
  addFields(list, QUERY_FIELDS.listDoNotCall);
  list.action(async () => {
    const filter = readQuery(list, 'listDoNotCall');
    await printList(cli, list, (await cli.connect()).doNotCall.list(filter), COLUMNS);
  });

  const add = addCommand(dnc, 'add <number>', 'list a number');
  addFields(add, BODY_FIELDS.AddDoNotCallDto, NO_FLAGS);
  add.action(async (number: string) => {
    const fields = readBody(add, 'AddDoNotCallDto', NO_FLAGS);
    const entry = await (await cli.connect()).doNotCall.add({ ...fields, phone_number: number });
    await printDone(cli, add, `${entry.phone_number} is not called.`, entry);
  });

  const remove = addCommand(dnc, 'remove <number>', 'remove a number from the list');
  remove.action(async (number: string) => {
    await (await cli.connect()).doNotCall.remove(number);
    await printDone(cli, remove, `${number} may be called.`, { phone_number: number, removed: true });
  });

  const importing = addCommand(dnc, 'import <file>', 'list the numbers of a CSV file');
  addFields(importing, BODY_FIELDS.ImportDoNotCallDto);
  importing.action(async (path: string) => {
    const fields = readBody(importing, 'ImportDoNotCallDto');
    const file = await readInput(path, cli.surroundings.stdin);
    const imported = await (await cli.connect()).doNotCall.import({ ...fields, file }, cli.uploadLimit());
    const { added, already_listed, left_out } = imported;
    const counts = `Added: ${added}. Already listed: ${already_listed}. Left out: ${left_out?.rows ?? 0}.`;
    await printDone(cli, importing, counts, imported);
    if (left_out?.rows && !isJson(importing)) await cli.output.table(ROW_ERROR_COLUMNS, left_out.errors);
  });
}
