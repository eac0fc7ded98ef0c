import { ActorDto } from '../../platform/http/actor.dto';
import { INVALID_ROWS, type InvalidRows, LeftOutRowsDto } from '../../platform/csv/left-out-rows.dto';
import { NotAlways } from '../../platform/http/envelope';
import { PageQuery } from '../../platform/http/pagination';
import { type UploadedFile, UploadedFileField } from '../../platform/http/uploaded-file';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import { DateTimeField, EmptyIsAbsent, IntegerField, NestedField } from '../../platform/validation/fields';
import {
  PhoneNumberField,
  SearchableField,
  SearchField,
  TextField,
} from '../../platform/validation/text-fields';
import { ENTRY_SOURCE, ENTRY_SOURCES, type EntrySource } from './do-not-call-entry.entity';
import { MAX_REASON_LENGTH, MAX_ROWS } from './number-rows';

const optional = true;
const nullable = true;

const EXAMPLE_FILE = 'phone_number,reason\n+15559876543,asked by letter\n';

const EXAMPLE_EXPIRY = '2099-01-01T00:00:00.000Z';

export class ListDoNotCallQuery extends PageQuery {
  @SearchField({ optional, max: 200, description: 'A part of the number or of the reason.' }) search?: string;
}

@Example({ phone_number: '+15559876543', reason: 'asked by letter', expires_at: EXAMPLE_EXPIRY })
export class AddDoNotCallDto {
  @PhoneNumberField() phone_number: string;

  @SearchableField({ optional, nullable, max: MAX_REASON_LENGTH, description: 'An empty one is none.' })
  reason?: string | null;

  @DateTimeField({
    optional,
    nullable,
    description: 'From when on the number may be called again. Without it: never.',
  })
  expires_at?: Date | null;
}

@Example({ file: EXAMPLE_FILE })
export class ImportDoNotCallDto {
  @UploadedFileField({
    description:
      'The numbers as CSV in UTF-8, separated by commas, semicolons or tabs. The first row has the names of the ' +
      'columns. The column phone_number is required and has E.164 numbers; the column reason is optional, and other ' +
      `columns are ignored. At most ${MAX_ROWS} rows below the header, including empty ones.`,
    example: EXAMPLE_FILE,
  })
  file: UploadedFile;

  @EmptyIsAbsent()
  @TextField({
    optional,
    choices: INVALID_ROWS,
    default: 'refuse',
    description:
      'What happens if rows have errors: the file is refused as a whole, or these rows are skipped.',
  })
  invalidRows?: InvalidRows;

  @TextField({ optional, max: 100, description: "Must be the credential's workspace." })
  workspaceId?: string;
}

@Example({ imported: 1, added: 1, already_listed: 0 })
export class ImportedDoNotCallDto {
  @IntegerField({ description: 'How many different numbers were imported.' }) imported: number;
  @IntegerField({ description: 'How many of them were not on the list before.' }) added: number;
  @IntegerField({ description: 'How many of them were on the list before. Their later entry counts.' })
  already_listed: number;
  @NotAlways()
  @NestedField(() => LeftOutRowsDto, {
    optional,
    description: 'The rows with errors that are left out. Present if invalidRows is skip.',
  })
  left_out?: LeftOutRowsDto;
}

@Example({
  phone_number: '+15559876543',
  reason: 'asked by letter',
  source: ENTRY_SOURCE.api,
  created_by: { kind: 'session', id: EXAMPLE_IDS.session, name: 'Ada Lovelace' },
  created_at: EXAMPLE_TIME,
  expires_at: null,
})
export class DoNotCallEntryDto {
  @PhoneNumberField() phone_number: string;
  @TextField({ nullable }) reason: string | null;
  @TextField({
    choices: ENTRY_SOURCES,
    description: '`opt_out`: the person asked for it in a call, as its runtime reported.',
  })
  source: EntrySource;
  @NestedField(() => ActorDto, {
    nullable,
    description: 'Who listed it. null: not known, or the person asked for it in a call.',
  })
  created_by: ActorDto | null;
  @DateTimeField({ description: 'When it was listed last.' }) created_at: Date;
  @DateTimeField({ nullable, description: 'From when on the number may be called again.' })
  expires_at: Date | null;
}
