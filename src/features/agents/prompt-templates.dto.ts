import { OmitType } from '@nestjs/swagger';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import { DateTimeField } from '../../platform/validation/fields';
import { TextsField } from '../../platform/validation/item-fields';
import { NameField, TextField } from '../../platform/validation/text-fields';
import { MAX_GREETING_LENGTH, MAX_PROMPT_LENGTH, MAX_VARIABLE_NAME_LENGTH } from './agent-texts';

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
  @TextsField({ optional: true, maxItems: 100, max: 200, orOne: true }) category: string[] = [];
  @TextField({ max: MAX_GREETING_LENGTH }) greeting: string;
  @TextField({ max: MAX_PROMPT_LENGTH }) prompt: string;
  @TextsField({ optional: true, maxItems: 100, max: MAX_VARIABLE_NAME_LENGTH })
  dynamic_variables: string[] = [];
}

@Example({
  template_id: EXAMPLE_IDS.promptTemplate,
  owner: 'workspace',
  ...TEMPLATE,
  createdAt: EXAMPLE_TIME,
})
export class PromptTemplateDto extends CreatePromptTemplateDto {
  @TextField({ description: 'The id to send as `templateId`.' }) template_id: string;
  @TextField({ choices: ['platform', 'workspace'] }) owner: 'platform' | 'workspace';
  @DateTimeField() createdAt: Date;
}

const { prompt: _, ...summary } = getExample(PromptTemplateDto) as Record<string, unknown>;

@Example(summary)
export class PromptTemplateSummaryDto extends OmitType(PromptTemplateDto, ['prompt']) {}
