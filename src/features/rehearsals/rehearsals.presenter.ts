import type { RehearsalValues } from './rehearsal-rules';
import type { Rehearsal } from './rehearsal.entity';
import type { RehearsalDto } from './rehearsals.dto';

/** A rehearsal as a file has it. */
export const presentDefinition = ({ name, enabled, definition }: RehearsalValues) => ({
  name,
  ...(!enabled && { enabled }),
  person: definition.person,
  ...(Object.keys(definition.situation).length > 0 && { situation: definition.situation }),
  ...(definition.tools.length > 0 && { tools: definition.tools }),
  checks: definition.checks,
});

export const presentRehearsal = (rehearsal: Rehearsal): RehearsalDto =>
  ({
    rehearsal_id: rehearsal.id,
    agent_id: rehearsal.agentId,
    name: rehearsal.name,
    enabled: rehearsal.enabled,
    ...rehearsal.definition,
    created_at: rehearsal.createdAt,
    updated_at: rehearsal.updatedAt,
  }) as unknown as RehearsalDto;
