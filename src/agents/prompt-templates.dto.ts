import { DateTimeField } from '../common/fields';
import { TextField, TextsField } from '../common/text-fields';
import type { PromptTemplate } from './prompt-template.entity';

export class CreatePromptTemplateDto {
  @TextField({ min: 1, max: 200 }) name: string;
  @TextsField({ optional: true, max: 200, orOne: true }) category: string[] = [];
  @TextField({ max: 2_000 }) greeting: string;
  @TextField({ max: 100_000 }) prompt: string;
  @TextsField({ optional: true, max: 200 }) dynamic_variables: string[] = [];
}

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
