import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';

/** The file of a form, in a temporary folder. It is deleted when the request ends, unless it was moved. */
export class UploadedFile {
  constructor(
    readonly path: string,
    /** The name that the client gave the file. */
    readonly name: string,
    readonly contentType: string,
    readonly size: number,
  ) {}
}

/** The file of a form; `null` in a form without a file, `undefined` in a request that is not a form. */
export const UploadedFileField = (options: {
  /** Whether a request that is not a form may have no file. */
  optional?: boolean;
  description: string;
  example?: string;
}) => {
  const { optional = false, ...described } = options;
  const decorators = [
    ApiProperty({ type: 'string', format: 'binary', required: !optional, ...described }),
    // class-transformer would copy the file.
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]),
    ValidateIf((_, value) => !(optional && value === undefined)),
    ValidateBy({
      name: 'isUploadedFile',
      validator: {
        validate: (value: unknown) => value instanceof UploadedFile,
        defaultMessage: (at) =>
          at?.value === null ? '$property is missing' : '$property must be a file, in a part of that name',
      },
    }),
  ];
  return (target: object, property: string) => decorators.forEach((decorate) => decorate(target, property));
};
