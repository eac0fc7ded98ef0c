import type { Command } from 'commander';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, addListCommand, printDone, printList } from '../command';

type PhoneNumber = Schemas['PhoneNumberDto'];

const COLUMNS = {
  number: ({ number }: PhoneNumber) => number,
  status: ({ status }: PhoneNumber) => status,
  type: ({ type }: PhoneNumber) => type,
  agent: ({ agent_id }: PhoneNumber) => agent_id,
  created: ({ created_at }: PhoneNumber) => created_at,
};

export function addNumbersCommands(program: Command, cli: Cli): void {
  const numbers = program.command('numbers').description('the phone numbers of the agents');

  const list = addListCommand(numbers, 'list', 'list the numbers of the workspace');
  list.action(async () => printList(cli, list, (await cli.connect()).phoneNumbers.list(), COLUMNS));

  const assign = addCommand(
    numbers,
    'assign <agent> <number>',
    'give a number to an agent, which calls from there and answers there',
  );
  assign.action(async (agent: string, number: string) => {
    const assigned = await (await cli.connect()).phoneNumbers.assign(agent, { phone_number: number });
    await printDone(cli, assign, `The agent has the number ${assigned.phone_number}.`, assigned);
  });

  const release = addCommand(numbers, 'release <number>', 'remove a number from the workspace');
  release.action(async (number: string) => {
    await (await cli.connect()).phoneNumbers.release(number);
    await printDone(cli, release, `${number} is released.`, { number, released: true });
  });
}
