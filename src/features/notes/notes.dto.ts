import { ActorDto } from '../../platform/http/actor.dto';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import { DateTimeField, NestedField } from '../../platform/validation/fields';
import { PhoneNumberField, TextField } from '../../platform/validation/text-fields';

const nullable = true;

const MAX_LENGTH = 2_000;

const EXAMPLE = { phone_number: '+15551234567', text: 'Speaks Spanish. Call in the afternoon.' };

export class FindNoteQuery {
  @PhoneNumberField() phone_number: string;
}

@Example({ ...EXAMPLE, updated_at: null })
export class WriteNoteDto {
  @PhoneNumberField() phone_number: string;

  @TextField({ max: MAX_LENGTH, description: 'The whole text. An empty one removes the note.' }) text: string;

  @DateTimeField({
    nullable,
    description: '`updated_at` of the note that this text replaces. null: there was none.',
  })
  updated_at: Date | null;
}

@Example({
  ...EXAMPLE,
  updated_by: { kind: 'person', id: EXAMPLE_IDS.person, name: 'Ada Lovelace' },
  updated_at: EXAMPLE_TIME,
})
export class NoteDto {
  @PhoneNumberField() phone_number: string;
  @TextField({ max: MAX_LENGTH, description: 'Empty: there is no note.' }) text: string;
  @NestedField(() => ActorDto, { nullable, description: 'The user who wrote it last.' })
  updated_by: ActorDto | null;
  @DateTimeField({ nullable }) updated_at: Date | null;
}
