import { ApiProperty, PickType } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { type UploadedFile, UploadedFileField } from '../../platform/http/uploaded-file';
import { Example } from '../../platform/validation/example';
import { WebAddressesField } from '../../platform/validation/item-fields';
import { NameField, WebAddressField } from '../../platform/validation/text-fields';
import { isForm, LinkFormOnly } from './knowledge-base.dto';
import { ofFileFormOnly } from './knowledge-base.errors';

const optional = true;

/** A field of the file form. It must be the decorator next to the property, as `LinkFormOnly`. */
const FileFormOnly = () =>
  ValidateBy({
    name: 'isOfFileForm',
    validator: {
      validate: (_, args) => isForm(args?.object as object),
      defaultMessage: () => ofFileFormOnly('$property'),
    },
  });

const file = {
  optional,
  description:
    'Required in the file form, which is multipart/form-data: PDF, DOCX, Markdown, CSV, HTML or plain text.',
};

class SourceFileForm {
  @NameField({ optional, description: 'File form only. What the source is called; default: as the file.' })
  @FileFormOnly()
  name?: string;

  @UploadedFileField(file) file?: UploadedFile;
}

export class AddSourcesDto extends SourceFileForm {
  @WebAddressesField({
    optional: isForm,
    minItems: 1,
    maxItems: 20,
    description:
      'Required in the link form, which is JSON. The first link is fetched before the answer, the others ' +
      'after it.',
  })
  @LinkFormOnly()
  urls?: string[];
}

export class ReplaceSourceDto extends SourceFileForm {
  @WebAddressField({
    optional,
    description: 'Link form only. Fetched before the answer; default: the link of the source.',
  })
  @LinkFormOnly()
  url?: string;
}

/** The classes describe the forms of the requests; the classes above validate them. */
@Example({ urls: ['https://example.com/prices'] })
export class AddLinksForm extends PickType(AddSourcesDto, ['urls']) {
  @ApiProperty({ required: true }) declare urls: string[];
}

@Example({ url: 'https://example.com/hours' })
export class ReplaceLinkForm extends PickType(ReplaceSourceDto, ['url']) {}

@Example({ file: 'A chair costs forty euros, a table ninety.\n' })
export class UploadedSourceForm extends PickType(SourceFileForm, ['name', 'file']) {
  @ApiProperty({ type: 'string', format: 'binary', required: true }) declare file: UploadedFile;
}
