import { ValidationPipe } from '@nestjs/common';
import { describeProblems } from '../http/validation.pipe';
import { MalformedMessageError } from '../messaging/malformed-message.error';

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
