import { ActorDto } from '../../platform/http/actor.dto';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import {
  DateTimeField,
  IntegerField,
  ListField,
  NestedField,
  ObjectField,
} from '../../platform/validation/fields';
import { TextsField } from '../../platform/validation/item-fields';
import { TextField } from '../../platform/validation/text-fields';
import { PinnedToolDto } from '../tools/tools.dto';
import { AgentAnalysisDto } from './agent-analysis.dto';

const nullable = true;

@Example({
  version: 3,
  created_at: EXAMPLE_TIME,
  created_by: { kind: 'key', id: EXAMPLE_IDS.apiKey, name: 'CI' },
  restored_from: 1,
  calls: 42,
})
export class AgentVersionDto {
  @IntegerField() version: number;
  @DateTimeField() created_at: Date;
  @NestedField(() => ActorDto, {
    nullable,
    description: 'Who changed the agent. null: unknown, or the server itself.',
  })
  created_by: ActorDto | null;
  @IntegerField({ nullable, description: 'The version that it is a copy of.' }) restored_from: number | null;
  @IntegerField({ description: 'How many calls were started with it.' }) calls: number;
}

@Example({
  ...getExample(AgentVersionDto),
  agent_config: { name: 'Front desk', prompt: 'You are the front desk of {{company}}.' },
  tools: [getExample(PinnedToolDto)],
  analysis: getExample(AgentAnalysisDto),
})
export class AgentVersionDetailDto extends AgentVersionDto {
  @ObjectField({
    description: 'The agent as its calls got it, with the variables of its texts not filled in.',
  })
  agent_config: object;

  @ListField(() => PinnedToolDto, { description: 'The tools that its actions name, as they were.' })
  tools: PinnedToolDto[];

  @NestedField(() => AgentAnalysisDto, { description: 'What its calls are to yield.' })
  analysis: AgentAnalysisDto;
}

@Example({ agent_id: EXAMPLE_IDS.agent, version: 4, restored_from: 1, missing_knowledge_bases: [] })
export class RestoredVersionDto {
  @TextField() agent_id: string;
  @IntegerField({ description: 'The new version.' }) version: number;
  @IntegerField() restored_from: number;
  @TextsField({
    description: 'Knowledge bases of the old version that have been deleted since. They are left out.',
  })
  missing_knowledge_bases: string[];
}
