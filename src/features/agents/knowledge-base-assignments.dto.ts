import { Example, EXAMPLE_IDS } from '../../platform/validation/example';
import { IntegerField } from '../../platform/validation/fields';
import { IdsField, TextsField } from '../../platform/validation/item-fields';

@Example({ assistant_ids: [EXAMPLE_IDS.agent] })
export class AssignKnowledgeBaseDto {
  @IdsField({ minItems: 1, maxItems: 100, description: 'The ids of the agents.' }) assistant_ids: string[];
}

@Example({ assigned_assistant_ids: [EXAMPLE_IDS.agent], assistants_with_kb_count: 3 })
export class AssignedKnowledgeBaseDto {
  @TextsField({ description: 'The agents of the request, each once.' }) assigned_assistant_ids: string[];
  @IntegerField({ description: 'The number of agents that have the knowledge base now.' })
  assistants_with_kb_count: number;
}
