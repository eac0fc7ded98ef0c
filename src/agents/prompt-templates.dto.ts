import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../common/example';
import { DateTimeField } from '../common/fields';
import { TextsField } from '../common/item-fields';
import { NameField, TextField } from '../common/text-fields';
import type { PromptTemplate } from './prompt-template.entity';

const TEMPLATE = {
  name: 'Concierge',
  category: ['hotels'],
  greeting: 'Welcome, {{guest}}. How may I help you?',
  prompt: 'You are the concierge of a hotel. Answer questions about the house and book tables.',
  dynamic_variables: ['guest'],
};

@Example(TEMPLATE)
export class CreatePromptTemplateDto {
  @NameField() name: string;
  @TextsField({ optional: true, max: 200, orOne: true }) category: string[] = [];
  @TextField({ max: 2_000 }) greeting: string;
  @TextField({ max: 100_000 }) prompt: string;
  @TextsField({ optional: true, max: 200 }) dynamic_variables: string[] = [];
}

@Example({
  template_id: EXAMPLE_IDS.promptTemplate,
  owner: 'workspace',
  ...TEMPLATE,
  createdAt: EXAMPLE_TIME,
})
export class PromptTemplateDto extends CreatePromptTemplateDto {
  @TextField({ description: 'What `templateId` takes.' }) template_id: string;
  @TextField({ choices: ['platform', 'workspace'] }) owner: 'platform' | 'workspace';
  @DateTimeField() createdAt: Date;
}

export const presentPromptTemplate = (template: PromptTemplate): PromptTemplateDto => ({
  template_id: template.id,
  owner: template.workspaceId ? 'workspace' : 'platform',
  name: template.name,
  category: template.category,
  greeting: template.greeting,
  prompt: template.prompt,
  dynamic_variables: template.dynamicVariables,
  createdAt: template.createdAt,
});
