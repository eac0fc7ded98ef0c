import { PageQuery, SORT_ORDERS, type SortOrder } from '../../platform/http/pagination';
import { Example } from '../../platform/validation/example';
import { BooleanField, DateTimeField, ObjectField } from '../../platform/validation/fields';
import { SearchField, TextField } from '../../platform/validation/text-fields';
import { ReadOnly } from './agent-configs.dto';
import { AgentFields } from './agent-fields.dto';
import { AGENT_TYPES, type AgentType } from './agent-types';

const optional = true;

@Example({
  name: 'Front desk',
  type: 'inbound',
  category: ['support'],
  description: 'Answers the phone of the practice.',
  timezone: 'Europe/Berlin',
  greeting: 'Good day, {{customer_name}}, what can I do for you?',
  prompt:
    'You answer the phone of a dental practice. Find out what the caller needs and offer an appointment.',
  dynamic_variables: ['customer_name'],
})
export class CreateAgentDto extends AgentFields {
  @TextField({ optional, max: 100, description: 'The prompt template to start from.' }) templateId?: string;
  @ObjectField({
    optional,
    maxKilobytes: 16,
    description: 'Passed to the runtime unchanged. At most 16 KB as JSON in UTF-8.',
  })
  metaData?: Record<string, unknown>;
}

/** Accepts what reading an agent returned: the fields that cannot be written are ignored. */
@Example({ type: 'inbound', greeting: 'Good day, {{customer_name}}.', llmConfig: { temperature: 0.4 } })
export class UpdateAgentDto extends AgentFields {
  @ReadOnly() _id?: unknown;
  @ReadOnly() userId?: unknown;
  @ReadOnly() createdAt?: unknown;
  @ReadOnly() updatedAt?: unknown;
  @ReadOnly() DND?: unknown;
  @ReadOnly() countryName?: unknown;
  @ReadOnly() widget?: unknown;
}

export const AGENT_SORT_FIELDS = ['name', 'type', 'status', 'createdAt', 'updatedAt'] as const;

export class ListAgentsQuery extends PageQuery {
  @TextField({ optional, max: 100, description: 'The workspace of the credential. Another one is refused.' })
  workspaceId?: string;
  @TextField({ optional, max: 200 }) category?: string;
  @SearchField({ optional, max: 200, description: 'A part of the name.' }) search?: string;
  @TextField({ optional, choices: AGENT_TYPES }) type?: AgentType;
  @BooleanField({ optional, fromText: true }) status?: boolean;
  @TextField({ optional, choices: AGENT_SORT_FIELDS, default: 'createdAt' })
  sortBy: (typeof AGENT_SORT_FIELDS)[number] = 'createdAt';
  @TextField({ optional, choices: SORT_ORDERS, default: 'desc' }) sortOrder: SortOrder = 'desc';
  @TextField({ optional, max: 100, description: 'Only the agents that have this knowledge base.' })
  kb_id?: string;
  @DateTimeField({ optional, description: 'Created at this time or later.' }) start_date?: Date;
  @DateTimeField({ optional, endOfDay: true, description: 'Created at this time or earlier.' })
  end_date?: Date;
}
