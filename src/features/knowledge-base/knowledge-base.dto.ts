import { ValidateBy } from 'class-validator';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  ListField,
  NestedField,
} from '../../platform/validation/fields';
import { WebAddressesField } from '../../platform/validation/item-fields';
import { NameField, SearchField, TextField, WebAddressField } from '../../platform/validation/text-fields';
import { NotAlways } from '../../platform/http/envelope';
import { PageQuery, SORT_ORDERS, type SortOrder } from '../../platform/http/pagination';
import { type UploadedFile, UploadedFileField } from '../../platform/http/uploaded-file';
import { ofLinkFormOnly } from './knowledge-base.errors';
import { KNOWLEDGE_BASE_TYPES, type KnowledgeBaseType } from './knowledge-base.entity';
import {
  SOURCE_STATUSES,
  SOURCE_TYPES,
  type SourceStatus,
  type SourceType,
} from './knowledge-base-source.entity';

const optional = true;

/** Whether the fields are those of a form, in which `file` is null if it has none. */
export const isForm = ({ file }: { file?: unknown }) => file !== undefined;

/**
 * A field of the link form, which is JSON. It must be the decorator next to the property: that one is checked
 * first, and its error is the only one that is shown.
 */
export const LinkFormOnly = () =>
  ValidateBy({
    name: 'isOfLinkForm',
    validator: {
      validate: (_, args) => !isForm(args?.object as object),
      defaultMessage: () => ofLinkFormOnly('$property'),
    },
  });

export class CreateKnowledgeBaseDto {
  @NameField({
    description:
      'Unique in the workspace. Upper and lower case, and spaces around the name, make no difference.',
    example: 'Opening hours',
  })
  name: string;

  @TextField({ optional, max: 2_000 }) description: string = '';

  @TextField({ optional, max: 100, description: 'The workspace of the credential. Another one is refused.' })
  workspaceId?: string;

  @WebAddressField({
    optional: isForm,
    description: 'Required in the link form, which is JSON. The link is fetched before the answer.',
    example: 'https://example.com/hours',
  })
  @LinkFormOnly()
  baseUrl?: string;

  @WebAddressesField({
    optional,
    maxItems: 20,
    description: 'Link form only. More links, which are fetched after the answer.',
  })
  @LinkFormOnly()
  urls?: string[];

  @TextField({ optional, choices: ['link'], description: 'Link form only.' }) @LinkFormOnly() type?: 'link';

  @UploadedFileField({
    optional,
    description:
      'Required in the file form, which is multipart/form-data: PDF, DOCX, Markdown, CSV, HTML or plain text.',
  })
  file?: UploadedFile;
}

export const KNOWLEDGE_BASE_SORT_FIELDS = ['name', 'createdAt', 'updatedAt'] as const;

export class ListKnowledgeBasesQuery extends PageQuery {
  @TextField({ optional, max: 100, description: 'The workspace of the credential. Another one is refused.' })
  workspaceId?: string;
  @SearchField({ optional, max: 200, description: 'A part of the name or of the description.' })
  search?: string;
  @TextField({ optional, max: 100, description: 'Only the knowledge base with this id.' }) kb_id?: string;
  @TextField({ optional, max: 100, description: 'Only the knowledge bases of this agent.' })
  agent_id?: string;
  @DateTimeField({ optional, description: 'Created at this time or later.' }) start_date?: Date;
  @DateTimeField({ optional, endOfDay: true, description: 'Created at this time or earlier.' })
  end_date?: Date;
  @TextField({ optional, choices: KNOWLEDGE_BASE_SORT_FIELDS, default: 'createdAt' })
  sortBy: (typeof KNOWLEDGE_BASE_SORT_FIELDS)[number] = 'createdAt';
  @TextField({ optional, choices: SORT_ORDERS, default: 'desc' }) sortOrder: SortOrder = 'desc';
}

export class SourceMetadataDto {
  @TextField({ description: "The name of the uploaded file; '' for a link." }) fileName: string;
  @TextField({ description: "The media type of the content; '' while it is not known." }) fileType: string;
  @TextField({ description: "Where the file is kept; '' for a link." }) fileKey: string;
  @IntegerField({ description: 'The number of passages in its text.' }) passages: number;
  @TextField({ optional, description: 'Why the source failed. Only present then.' }) reason?: string;
}

export class SourceContentDto {
  @TextField({ choices: SOURCE_TYPES }) type: SourceType;
  @TextField() name: string;
  @TextField({ description: "The address of the link; '' for a file." }) url: string;
  @TextField({ choices: SOURCE_STATUSES }) status: SourceStatus;
  @NestedField(() => SourceMetadataDto) metadata: SourceMetadataDto;
}

@Example({
  _id: EXAMPLE_IDS.source,
  type: 'link',
  name: 'https://example.com/hours',
  url: 'https://example.com/hours',
  status: 'completed',
  metadata: { fileName: '', fileType: 'text/html', fileKey: '', passages: 3 },
})
export class SourceDto extends SourceContentDto {
  @TextField() _id: string;
  @NestedField(() => SourceContentDto, {
    optional,
    description:
      'The new content of a source that is being replaced, or whose last replacement failed. The other ' +
      'fields describe the old content, which a search finds until the new one is complete.',
  })
  @NotAlways()
  replacement?: SourceContentDto;
}

@Example({
  _id: EXAMPLE_IDS.knowledgeBase,
  workspaceId: EXAMPLE_IDS.workspace,
  name: 'Opening hours',
  description: 'Our opening hours and how to find us.',
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
