import { type PersonRole, ROLES } from '../../accounts/auth/roles';
import { EMAIL, MAX_PERSON_NAME } from '../../accounts/people/people.dto';
import { type LinkOfPerson, PeopleService } from '../../accounts/people/people.service';
import { getPublicUrl, loadConfig } from '../../config';
import { audited } from './audited';
import { command, nameFrom, required, text, UsageError, workspaceFrom } from './command';

function roleFrom(value: string): PersonRole {
  const role = ROLES.find((known) => known === value);
  if (!role) throw new UsageError(`--role must be one of ${ROLES.join(', ')}.`);
  return role;
}

function emailFrom(value: string | undefined): string | null {
  if (value !== undefined && !EMAIL.matches.test(value)) throw new UsageError(`--email ${EMAIL.message}.`);
  return value ?? null;
}

const presentLink = ({ personId, token, expiresAt }: LinkOfPerson) => ({
  personId,
  url: `${getPublicUrl(loadConfig())}/login#token=${token}`,
  expiresAt,
});

export const personCommands = {
  'person invite': command({
    usage: '--workspace ID --name "ADA LOVELACE" --role admin|operator|viewer [--email ADDRESS]',
    summary:
      'Adds a person to a workspace, and creates a link by which the person signs in once, within seven days.',
    options: { workspace: text, name: text, role: text, email: text },
    run: async (values, services) => {
      const person = {
        name: required(nameFrom(values.name, MAX_PERSON_NAME), 'name'),
        role: roleFrom(required(values.role, 'role')),
        email: emailFrom(values.email),
      };
      const workspaceId = await workspaceFrom(values, services);
      const link = await audited(
        'person.invited',
        ({ personId, name }: LinkOfPerson) => ({ workspaceId, id: personId, name }),
        () => services(PeopleService).invite(workspaceId, person),
      );
      return presentLink(link);
    },
  }),

  'person list': command({
    usage: '--workspace ID',
    summary: 'Lists the people of a workspace.',
    options: { workspace: text },
    run: async (values, services) => {
      const workspaceId = await workspaceFrom(values, services);
      return { people: await services(PeopleService).listAll(workspaceId) };
    },
  }),

  'person link': command({
    usage: '--workspace ID --person ID',
    summary:
      'Creates another link for a person, valid for an hour, or for seven days before the first sign-in.',
    options: { workspace: text, person: text },
    run: async (values, services) => {
      const workspaceId = await workspaceFrom(values, services);
      const personId = required(values.person, 'person');
      const link = await audited(
        'person.link_created',
        ({ name }: LinkOfPerson) => ({ workspaceId, id: personId, name }),
        () => services(PeopleService).createLink(workspaceId, personId),
      );
      return presentLink(link);
    },
  }),

  'person remove': command({
    usage: '--workspace ID --person ID',
    summary: 'Removes a person, with their sessions and links, and the keys and tokens that these created.',
    options: { workspace: text, person: text },
    run: async (values, services) => {
      const workspaceId = await workspaceFrom(values, services);
      const personId = required(values.person, 'person');
      const { sessions, keys } = await audited(
        'person.removed',
        ({ name }: { name: string }) => ({ workspaceId, id: personId, name }),
        () => services(PeopleService).remove(workspaceId, personId),
      );
      return { personId, sessions, keys };
    },
  }),
};
