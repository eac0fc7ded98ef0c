import { ValidationPipe } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { findUnstorable } from '../../../platform/http/json-body';
import { describeProblems } from '../../../platform/http/validation.pipe';
import { MalformedMessageError } from '../../../platform/messaging/malformed-message.error';

/** Ignores unknown fields, so that newer runtimes can talk to an older server. */
export const messageValidation = new ValidationPipe({
  transform: true,
  whitelist: true,
  stopAtFirstError: true,
  exceptionFactory: (problems) =>
    new MalformedMessageError(
      describeProblems(problems, 'body')
        .map(({ field, message }) => `${field}: ${message}`)
        .join('; '),
    ),
});

/** Refuses JSON that Postgres cannot store. */
export const IsStorableJson = () =>
  ValidateBy({
    name: 'isStorableJson',
    validator: {
      validate: (value: unknown) => findUnstorable(value, '', 0) === undefined,
      defaultMessage: () => '$property must not contain a NUL character or half of a surrogate pair',
    },
  });
