import { ActorDto } from '../../platform/http/actor.dto';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import { BooleanField, DateTimeField, NestedField } from '../../platform/validation/fields';
import { NameField, TextField } from '../../platform/validation/text-fields';
import { type PersonRole, ROLES } from '../auth/roles';

const optional = true;
const nullable = true;

export const MAX_PERSON_NAME = 100;

/** The longest address of RFC 5321. */
const MAX_EMAIL = 254;

export const EMAIL = { matches: /^[^\s@]+@[^\s@]+$/, message: 'must be an e-mail address' };

const EmailField = () =>
  TextField({
    optional,
    nullable,
    max: MAX_EMAIL,
    pattern: EMAIL,
    description:
      'An identity of the identity provider that has proved this address signs in as this person. Parley sends no mail.',
  });

const RoleField = (options: { optional?: boolean } = {}) =>
  TextField({
    ...options,
    choices: ROLES,
    description:
      'viewer: reads everything but secrets. operator: also acts on calls, campaigns, their recipients and the ' +
      'do-not-call list. admin: everything.',
  });

@Example({ name: 'Ada Lovelace', role: 'operator', email: 'ada@example.com' })
export class InvitePersonDto {
  @NameField({ max: MAX_PERSON_NAME, description: 'The audit calls the person by it.' }) name: string;
  @RoleField() role: PersonRole;
  @EmailField() email?: string | null;
}

@Example({ role: 'viewer' })
export class UpdatePersonDto {
  @NameField({ optional, max: MAX_PERSON_NAME }) name?: string;
  @RoleField({ optional }) role?: PersonRole;
  @EmailField() email?: string | null;
}

export const PERSON_STATES = ['invited', 'joined'] as const;

@Example({
  id: EXAMPLE_IDS.person,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'operator',
  state: 'joined',
  identity_linked: false,
  invited_by: { kind: 'key', id: EXAMPLE_IDS.apiKey, name: 'Deployment' },
  invited_at: EXAMPLE_TIME,
  link_expires_at: null,
  joined_at: EXAMPLE_TIME,
  last_seen_at: EXAMPLE_TIME,
})
export class PersonDto {
  @TextField() id: string;
  @TextField() name: string;
  @TextField({ nullable }) email: string | null;
  @RoleField() role: PersonRole;
  @TextField({ choices: PERSON_STATES, description: 'joined: the person has signed in once.' })
  state: (typeof PERSON_STATES)[number];
  @BooleanField({ description: 'Whether an identity of the identity provider signs in as this person.' })
  identity_linked: boolean;
  @NestedField(() => ActorDto, { nullable, description: 'null: the identity provider brought the person.' })
  invited_by: ActorDto | null;
  @DateTimeField() invited_at: Date;
  @DateTimeField({ nullable, description: 'The end of a link that was not used yet. null: there is none.' })
  link_expires_at: Date | null;
  @DateTimeField({ nullable }) joined_at: Date | null;
  @DateTimeField({ nullable, description: 'Noted about once a minute.' }) last_seen_at: Date | null;
}

@Example({
  person_id: EXAMPLE_IDS.person,
  url: `https://parley.example.com/login#token=parley_person_${'x'.repeat(43)}`,
  expires_at: '2026-03-09T09:30:00.000Z',
})
export class PersonLinkDto {
  @TextField() person_id: string;
  @TextField({ description: 'Signs in once, as this person, after a click. Shown only in this answer.' })
  url: string;
  @DateTimeField() expires_at: Date;
}
