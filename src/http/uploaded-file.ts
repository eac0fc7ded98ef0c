import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';

/** A file that came with a form, in a temporary place: it is gone when the request is over, unless it was moved. */
export class UploadedFile {
  constructor(
    readonly path: string,
    /** As the client says. */
    readonly name: string,
    readonly contentType: string,
    readonly size: number,
  ) {}
}

/** The file of a form; `null` in a form without it, `undefined` in a request that is no form. */
export const UploadedFileField = (options: {
  /** In a request that is no form. */
  optional?: boolean;
  description: string;
  example?: string;
}) => {
  const { optional = false, ...described } = options;
  const decorators = [
    ApiProperty({ type: 'string', format: 'binary', required: !optional, ...described }),
    // class-transformer would make a copy.
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
