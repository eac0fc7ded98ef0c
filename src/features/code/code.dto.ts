import { OmitType } from '@nestjs/swagger';
import { PUBLISH_MODES, type PublishMode } from '../../accounts/workspaces/publish-modes';
import { ActorDto } from '../../platform/http/actor.dto';
import { PageQuery } from '../../platform/http/pagination';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import {
  BooleanField,
  DateTimeField,
  ListField,
  NestedField,
  NestedListField,
  ObjectField,
} from '../../platform/validation/fields';
import { TextsField } from '../../platform/validation/item-fields';
import { MAX_SLUG_LENGTH } from '../../platform/validation/slug';
import { TextField } from '../../platform/validation/text-fields';
import {
  AnalysisFieldDto,
  CriterionDto,
  MAX_ANALYSIS_FIELDS,
  MAX_CRITERIA,
} from '../agents/agent-analysis.dto';
import { CreateAgentDto } from '../agents/agents.dto';
import { CODE_ACTIONS, CODE_KINDS, type CodeAction, type CodeKind, type CodeName } from './code-kinds';
import type { Definition } from './definition';

const optional = true;
const nullable = true;

const MAX_RESOURCES = 100;

export class AnalysisDefinitionDto {
  @NestedListField(() => AnalysisFieldDto, { optional, maxItems: MAX_ANALYSIS_FIELDS })
  fields?: AnalysisFieldDto[];
  @NestedListField(() => CriterionDto, { optional, maxItems: MAX_CRITERIA }) criteria?: CriterionDto[];
}

/** An agent in a file. What calls and publishing write, and what names a workspace, is no part of it. */
export class AgentDefinitionDto extends OmitType(CreateAgentDto, [
  'workspaceId',
  'templateId',
  'deployment',
  'stats',
  'knowledgeBases',
]) {
  @TextField({
    optional,
    choices: PUBLISH_MODES,
    description: 'How its new versions get to calls. As the workspace says if left out.',
  })
  publish?: PublishMode;
  @NestedField(() => AnalysisDefinitionDto, { optional }) analysis?: AnalysisDefinitionDto;
  @TextsField({ optional, max: 200, maxItems: 100, description: 'The names of its knowledge bases.' })
  knowledge?: string[];
}

export class ListCodeQuery extends PageQuery {
  @TextField({ optional, choices: CODE_KINDS, description: 'All kinds if left out.' }) kind?: CodeKind;
}

const KIND = { choices: CODE_KINDS };
const SLUG =
  'Of an agent, made of its first name: `front-desk`. Of a rehearsal, that of its agent and its own name: ' +
  '`front-desk/table-for-two`. Of a tool, its name: `book_table`.';
const DEFINITION =
  'Of an agent, the fields of an update but `workspaceId`, `deployment`, `stats` and `knowledgeBases`, with `metaData`, ' +
  '`analysis`, `publish` and `knowledge`, the names of its knowledge bases. Of a rehearsal or a tool, the body of its own ' +
  'operations; its name can be left out. What is left out has its default.';

const EXAMPLE = {
  kind: 'tool',
  slug: 'book_table',
  definition: {
    description: 'Books a table.',
    url: 'https://shop.example.com/bookings',
    headers: { Authorization: 'Bearer {{secret:API_KEY}}' },
    secrets: ['API_KEY'],
  },
} as const;

const REVISION = '4b1f0a6c9be2d7f35a0c8e1d2b3f4a5c';

@Example({
  ...EXAMPLE,
  ...{ id: EXAMPLE_IDS.tool, revision: REVISION, updated_at: EXAMPLE_TIME },
  updated_by: { kind: 'key', id: EXAMPLE_IDS.apiKey, name: 'pk_live_3f9a…' },
})
export class CodeResourceDto implements CodeName {
  @TextField(KIND) kind: CodeKind;
  @TextField({ description: SLUG }) slug: string;
  @TextField() id: string;
  @TextField({ description: 'Changes exactly if the definition does.' }) revision: string;
  @ObjectField({ description: `${DEFINITION} Of the secrets of a tool only the names are shown.` })
  definition: Definition;
  @DateTimeField() updated_at: Date;
  @NestedField(() => ActorDto, { nullable, description: 'null: the server itself, or an earlier release.' })
  updated_by: ActorDto | null;
}

@Example({ ...EXAMPLE, base: null })
export class CodeChangeDto implements CodeName {
  @TextField(KIND) kind: CodeKind;
  @TextField({ max: 2 * MAX_SLUG_LENGTH + 1, description: SLUG }) slug: string;
  @TextField({
    nullable,
    max: 64,
    description: 'The revision that the definition was made from. null: there was none.',
  })
  base: string | null;
  @ObjectField({
    nullable,
    description:
      `${DEFINITION} \`secrets\` of a tool are names, whose values stay, or values by name; others are removed. ` +
      'null deletes.',
  })
  definition: Definition | null;
}

@Example({
  dry_run: false,
  resources: [
    {
      ...{ kind: 'agent', slug: 'front-desk', base: null },
      definition: { type: 'inbound', name: 'Front desk', greeting: 'Good day, what can I do for you?' },
    },
  ],
})
export class ApplyCodeDto {
  @BooleanField({
    optional,
    default: false,
    description: 'true: nothing is changed. A credential that only reads can send it, too.',
  })
  dry_run: boolean = false;
  @NestedListField(() => CodeChangeDto, { maxItems: MAX_RESOURCES, description: 'Each once, in any order.' })
  resources: CodeChangeDto[];
}

export class AppliedChangeDto implements CodeName {
  @TextField(KIND) kind: CodeKind;
  @TextField() slug: string;
  @TextField({ choices: CODE_ACTIONS }) action: CodeAction;
  @TextsField({ description: 'The names of the fields of the definition that change.' }) fields: string[];
  @TextField({ nullable, description: 'After the change. null: it does not exist then.' })
  revision: string | null;
}

export class CodeDriftDto implements CodeName {
  @TextField(KIND) kind: CodeKind;
  @TextField() slug: string;
  @TextField({ nullable, description: 'As it was given.' }) base: string | null;
  @TextField({ nullable, description: 'Now. null: it does not exist.' }) revision: string | null;
}

@Example({
  changes: [
    {
      ...{ kind: 'agent', slug: 'front-desk', action: 'create', fields: ['type', 'name', 'greeting'] },
      revision: REVISION,
    },
  ],
  drift: [],
})
export class AppliedCodeDto {
  @ListField(() => AppliedChangeDto, { description: 'Without what has drifted.' })
  changes: AppliedChangeDto[];
  @ListField(() => CodeDriftDto, {
    description: 'What is not as it was when its definition was made. Only a dry run answers it.',
  })
  drift: CodeDriftDto[];
}
