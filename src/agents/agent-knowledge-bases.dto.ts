import { IntegerField } from '../common/fields';
import { IdsField } from '../common/item-fields';
import { TextsField } from '../common/text-fields';

export class AssignKnowledgeBaseDto {
  @IdsField({ minItems: 1, maxItems: 100, description: 'Agent ids.' }) assistant_ids: string[];
}

export class AssignedKnowledgeBaseDto {
  @TextsField({ description: 'Those that were asked for, each once.' }) assigned_assistant_ids: string[];
  @IntegerField({ description: 'How many agents have the knowledge base now.' })
  assistants_with_kb_count: number;
}
