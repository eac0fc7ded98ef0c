import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import { BooleanField, DateTimeField, NestedField } from '../../platform/validation/fields';
import { TextsField } from '../../platform/validation/item-fields';
import { TextField } from '../../platform/validation/text-fields';
import { AGENT_DEFAULTS } from './agent-defaults';
import { AGENT_TYPES, type AgentType } from './agent-types';
import { AgentFields } from './agent-fields.dto';
import { CreateAgentDto } from './agents.dto';

const CREATED = {
  _id: EXAMPLE_IDS.agent,
  workspaceId: EXAMPLE_IDS.workspace,
  userId: EXAMPLE_IDS.user,
  name: 'Front desk',
  type: 'inbound',
};

@Example({ agent_id: EXAMPLE_IDS.agent, phone_number: '+15551234567', assignment_status: 'assigned' })
export class AssignedPhoneNumberDto {
  @TextField() agent_id: string;
  @TextField() phone_number: string;
  @TextField({ choices: ['assigned'] }) assignment_status: string;
}

@Example(CREATED)
export class CreatedAgentDto {
  @TextField() _id: string;
  @TextField() workspaceId: string;
  @TextField() userId: string;
  @TextField() name: string;
  @TextField({ choices: AGENT_TYPES }) type: AgentType;
}

@Example({
  id: EXAMPLE_IDS.agent,
  name: 'Front desk',
  type: 'inbound',
  updatedAt: EXAMPLE_TIME,
  voiceEngine: 'elevenlabs',
  phoneNumber: '+15551234567',
  status: true,
})
export class AgentSummaryDto {
  @TextField() id: string;
  @TextField() name: string;
  @TextField({ choices: AGENT_TYPES }) type: AgentType;
  @DateTimeField() updatedAt: Date;
  @TextField({ description: 'The provider of the voice.' }) voiceEngine: string;
  @TextField({ description: "The phone number of the agent; '' without one." }) phoneNumber: string;
  @BooleanField() status: boolean;
}

export class ProviderModelDto {
  @TextField() provider: string;
  @TextField() model: string;
}

@Example({
  ...CREATED,
  category: ['support'],
  description: 'Answers the phone of the practice.',
  voiceConfig: { provider: 'elevenlabs', model: 'eleven_turbo_v2_5' },
  aiModel: { provider: 'openai', model: 'gpt-4o-mini' },
  llmConfig: { provider: 'openai', model: 'gpt-4o-mini' },
  status: true,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
})
export class UpdatedAgentDto extends CreatedAgentDto {
  @TextsField() category: string[];
  @TextField() description: string;
  @NestedField(() => ProviderModelDto) voiceConfig: ProviderModelDto;
  @NestedField(() => ProviderModelDto) aiModel: ProviderModelDto;
  @NestedField(() => ProviderModelDto) llmConfig: ProviderModelDto;
  @BooleanField() status: boolean;
  @DateTimeField() createdAt: Date;
  @DateTimeField() updatedAt: Date;
}

// The API specification has metaData for writing only.
const { metaData: _, ...defaults } = AGENT_DEFAULTS;

@Example({
  ...defaults,
  ...getExample(CreateAgentDto),
  ...CREATED,
  DND: false,
  status: true,
  countryName: 'Germany',
  knowledgeBases: [EXAMPLE_IDS.knowledgeBase],
  deployment: { status: 'draft', version: 2, deployedAt: null, lastUpdated: EXAMPLE_TIME, error: null },
  stats: { totalCalls: 42, successRate: 0.88, avgCallDuration: 94.5, lastCallAt: EXAMPLE_TIME },
  widget: false,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
})
export class AgentDto extends AgentFields {
  @TextField() _id: string;
  @TextField() userId: string;
  @BooleanField({ description: 'true while the agent is switched off.' }) DND: boolean;
  @TextField({ description: "The country of the time zone, in English; '' if the zone has none." })
  countryName: string;
  @BooleanField({
    description: 'Whether the agent can be embedded in a page. True for chat and hybrid agents.',
  })
  widget: boolean;
  @DateTimeField() createdAt: Date;
  @DateTimeField() updatedAt: Date;
}
