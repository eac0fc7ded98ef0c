import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { Example } from '../../platform/validation/example';
import type { UploadedFile } from '../../platform/http/uploaded-file';
import { CreateKnowledgeBaseDto } from './knowledge-base.dto';

/** The classes describe the two forms of the request; `CreateKnowledgeBaseDto` validates both. */
@Example({
  name: 'Opening hours',
  description: 'Our opening hours and how to find us.',
  baseUrl: 'https://example.com/hours',
  urls: ['https://example.com/directions'],
})
export class KnowledgeBaseLinkForm extends OmitType(CreateKnowledgeBaseDto, ['file']) {
  @ApiProperty({ required: true }) declare baseUrl: string;
}

@Example({ name: 'Opening hours', file: 'We are open from nine to five, on Saturdays from ten to two.\n' })
export class KnowledgeBaseFileForm extends PickType(CreateKnowledgeBaseDto, [
  'name',
  'description',
  'workspaceId',
  'file',
]) {
  @ApiProperty({ type: 'string', format: 'binary', required: true }) declare file: UploadedFile;
}
