import { ValidateBy } from 'class-validator';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../validation/example';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  ListField,
  NestedField,
  NumberField,
} from '../validation/fields';
import { WebAddressesField } from '../validation/item-fields';
import { NameField, TextField, WebAddressField } from '../validation/text-fields';
import { PageQuery } from '../http/pagination';
import { type UploadedFile, UploadedFileField } from '../http/uploaded-file';
import { ofLinkFormOnly } from './knowledge-base.errors';
import { KNOWLEDGE_BASE_TYPES, type KnowledgeBaseType } from './knowledge-base.entity';
import {
  SOURCE_STATUSES,
  SOURCE_TYPES,
  type SourceStatus,
  type SourceType,
} from './knowledge-base-source.entity';

const optional = true;
const notBlank = { matches: /\S/, message: 'must not be blank' };

/** Whether the fields came in a form; its `file` is null where it has none. */
const isForm = ({ file }: { file?: unknown }) => file !== undefined;

/**
 * Belongs to the link form: JSON. A knowledge base is made of one link or of one file. It stands next to the property,
 * since the check that stands there is made first, and no other says anything of a field in the wrong form.
 */
const LinkFormOnly = () =>
  ValidateBy({
    name: 'isOfLinkForm',
    validator: {
      validate: (_, args) => !isForm(args?.object as object),
      defaultMessage: () => ofLinkFormOnly('$property'),
    },
  });

export class CreateKnowledgeBaseDto {
  @NameField({
    description: 'Not in use yet; capitals make no difference, nor does space around it.',
    example: 'Opening hours',
  })
  name: string;

  @TextField({ optional, max: 2_000 }) description: string = '';

  @TextField({ optional, max: 100, description: "Must be the credential's own." }) workspaceId?: string;

  @WebAddressField({
    optional: isForm,
    description: 'The link form, as JSON, must have it. Fetched before the answer.',
    example: 'https://example.com/hours',
  })
  @LinkFormOnly()
  baseUrl?: string;

  @WebAddressesField({
    optional,
    maxItems: 20,
    description: 'Link form only: more links, fetched after the answer.',
  })
  @LinkFormOnly()
  urls?: string[];

  @TextField({ optional, choices: ['link'], description: 'Link form only.' }) @LinkFormOnly() type?: 'link';

  @UploadedFileField({
    optional,
    description:
      'The file form, as multipart/form-data, must have it: PDF, DOCX, Markdown, CSV, HTML or plain text.',
  })
  file?: UploadedFile;
}

export const KNOWLEDGE_BASE_SORT_FIELDS = ['name', 'createdAt', 'updatedAt'] as const;

export class ListKnowledgeBasesQuery extends PageQuery {
  @TextField({ optional, max: 100, description: "Must be the credential's own." }) workspaceId?: string;
  @TextField({ optional, max: 200, description: 'Part of the name or of the description.' }) search?: string;
  @TextField({ optional, max: 100, description: 'That one only.' }) kb_id?: string;
  @TextField({ optional, max: 100, description: 'Those that the agent has.' }) agent_id?: string;
  @DateTimeField({ optional, description: 'Lower bound on creation.' }) start_date?: Date;
  @DateTimeField({ optional, endOfDay: true, description: 'Upper bound on creation.' }) end_date?: Date;
  @TextField({ optional, choices: KNOWLEDGE_BASE_SORT_FIELDS, default: 'createdAt' })
  sortBy: (typeof KNOWLEDGE_BASE_SORT_FIELDS)[number] = 'createdAt';
  @TextField({ optional, choices: ['asc', 'desc'], default: 'desc' }) sortOrder: 'asc' | 'desc' = 'desc';
}

export class SourceMetadataDto {
  @TextField({ description: "As the client named it; '' for a link." }) fileName: string;
  @TextField({ description: "The content's media type; '' while it is not known." }) fileType: string;
  @TextField({ description: "Where the file is kept; '' for a link." }) fileKey: string;
  @IntegerField({ description: 'How many passages its text was split into.' }) passages: number;
  @TextField({ optional, description: 'Why it failed; only then.' }) reason?: string;
}

export class SourceDto {
  @TextField() _id: string;
  @TextField({ choices: SOURCE_TYPES }) type: SourceType;
  @TextField() name: string;
  @TextField({ description: "'' for a file." }) url: string;
  @TextField({ choices: SOURCE_STATUSES }) status: SourceStatus;
  @NestedField(() => SourceMetadataDto) metadata: SourceMetadataDto;
}

@Example({
  _id: EXAMPLE_IDS.knowledgeBase,
  workspaceId: EXAMPLE_IDS.workspace,
  name: 'Opening hours',
  description: 'When we are there, and where.',
  type: 'link',
  sources: [
    {
      _id: EXAMPLE_IDS.source,
      type: 'link',
      name: 'https://example.com/hours',
      url: 'https://example.com/hours',
      status: 'completed',
      metadata: { fileName: '', fileType: 'text/html', fileKey: '', passages: 3 },
    },
  ],
  status: true,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
})
export class KnowledgeBaseDto {
  @TextField() _id: string;
  @TextField() workspaceId: string;
  @TextField() name: string;
  @TextField() description: string;
  @TextField({ choices: KNOWLEDGE_BASE_TYPES }) type: KnowledgeBaseType;
  @ListField(() => SourceDto) sources: SourceDto[];
  @BooleanField() status: boolean;
  @DateTimeField() createdAt: Date;
  @DateTimeField() updatedAt: Date;
}

export class SearchQuery {
  @TextField({ min: 1, max: 500, pattern: notBlank, description: 'A question or some words.' }) query: string;

  @IntegerField({ fromText: true, min: 1, max: 50, optional, default: 5 }) limit: number = 5;
}

@Example({
  text: 'We are open from nine to five, on Saturdays from ten to two.',
  score: 1,
  source_id: EXAMPLE_IDS.source,
  source_name: 'https://example.com/hours',
  source_url: 'https://example.com/hours',
  position: 0,
})
export class FoundPassageDto {
  @TextField() text: string;
  @NumberField({
    description: 'How much of what was asked it has, 0 to 1: every word of the query counts, by its rarity.',
  })
  score: number;
  @TextField() source_id: string;
  @TextField() source_name: string;
  @TextField({ description: "'' for a file." }) source_url: string;
  @IntegerField({ description: 'Its place within the source, from 0.' }) position: number;
}
