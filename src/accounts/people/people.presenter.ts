import type { PersonDto } from './people.dto';
import type { ListedPerson } from './people.repository';

export const presentPerson = (person: ListedPerson): PersonDto => ({
  id: person.id,
  name: person.name,
  email: person.email,
  role: person.role,
  state: person.joinedAt === null ? 'invited' : 'joined',
  identity_linked: person.hasIdentity,
  invited_by: person.invitedBy,
  invited_at: person.createdAt,
  link_expires_at: person.linkExpiresAt,
  joined_at: person.joinedAt,
  last_seen_at: person.lastUsedAt,
});
