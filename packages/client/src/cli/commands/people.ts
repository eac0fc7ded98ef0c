import type { Command } from 'commander';
import { BODY_FIELDS } from '../../generated/cli-options';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, addListCommand, printCreated, printDone, printList } from '../command';
import { UsageError } from '../errors';
import { addFields, assertGiven, type BodyRenames, readBody } from '../flags';

type Person = Schemas['PersonDto'];

const COLUMNS = {
  id: ({ id }: Person) => id,
  name: ({ name }: Person) => name,
  role: ({ role }: Person) => role,
  state: ({ state }: Person) => state,
  email: ({ email }: Person) => email,
  seen: ({ last_seen_at }: Person) => last_seen_at,
};

/** The name is an argument. */
const NO_NAME: BodyRenames<'InvitePersonDto'> = { name: null };

export function addPeopleCommands(program: Command, cli: Cli): void {
  const people = program.command('people').description('the people who may sign in');

  const list = addListCommand(people, 'list', 'list the people, by name');
  list.action(async () => {
    await printList(cli, list, (await cli.connect()).people.list(), COLUMNS);
  });

  const invite = addCommand(people, 'invite <name>', 'add a person and print a link that signs in once');
  addFields(invite, BODY_FIELDS.InvitePersonDto, NO_NAME);
  invite.action(async (name: string) => {
    const fields = readBody(invite, 'InvitePersonDto', NO_NAME);
    assertGiven(fields, { role: '--role' });
    const link = await (await cli.connect()).people.invite({ ...fields, name });
    await printCreated(cli, invite, link.url, link);
  });

  const update = addCommand(people, 'update <person>', 'change the name, the role or the e-mail address');
  addFields(update, BODY_FIELDS.UpdatePersonDto);
  update.action(async (id: string) => {
    const fields = readBody(update, 'UpdatePersonDto');
    if (Object.keys(fields).length === 0) throw new UsageError('Give the fields to change, such as --role.');
    const person = await (await cli.connect()).people.update(id, fields);
    await printDone(cli, update, `${person.name} has the role ${person.role}.`, person);
  });

  const link = addCommand(people, 'link <person>', 'print a new link that signs in once');
  link.action(async (id: string) => {
    const made = await (await cli.connect()).people.link(id);
    await printCreated(cli, link, made.url, made);
  });

  const remove = addCommand(people, 'remove <person>', 'remove a person at once, with what they created');
  remove.action(async (id: string) => {
    const parley = await cli.connect();
    // As with agents, a lost answer must not make a person who never was a removed one.
    await parley.people.get(id);
    await parley.people.remove(id);
    await printDone(cli, remove, 'Removed the person.', { person_id: id, removed: true });
  });
}
