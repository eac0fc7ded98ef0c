import type { NarrowPromptTemplate, PromptTemplate } from './prompt-template.entity';
import type { PromptTemplateDto, PromptTemplateSummaryDto } from './prompt-templates.dto';

export const presentPromptTemplate = (template: PromptTemplate): PromptTemplateDto => ({
  ...presentTemplateSummary(template),
  prompt: template.prompt,
});

export const presentTemplateSummary = (template: NarrowPromptTemplate): PromptTemplateSummaryDto => ({
  template_id: template.id,
  owner: template.workspaceId ? 'workspace' : 'platform',
  name: template.name,
  category: template.category,
  greeting: template.greeting,
  dynamic_variables: template.dynamicVariables,
  createdAt: template.createdAt,
});
