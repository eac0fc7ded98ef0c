import type { PromptTemplate } from './prompt-template.entity';
import type { PromptTemplateDto } from './prompt-templates.dto';

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
