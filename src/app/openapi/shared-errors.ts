import { crossSiteRequest, guardErrors } from '../../accounts/auth/auth.errors';
import { ApiError, unknownProperty, validationFailed } from '../../platform/http/errors';
import { bodyTooLarge, bodyTooSlow, unsupportedMediaType } from '../../platform/http/json-body';
import { foreignWorkspace } from '../../platform/http/own-workspace';
import { internalError, serverFailed } from '../../platform/http/top-level-error-details';
import { databaseUnavailable, workspaceBusy } from '../../platform/http/workspace-busy';
import { EXAMPLE_IDS } from '../../platform/validation/example';

/** The errors that an operation shares with others. Without `contentTypes` it takes no body. */
export function sharedErrors(operation: {
  contentTypes: string[];
  isPaginated: boolean;
  isSafe: boolean;
}): ApiError[] {
  const { contentTypes, isPaginated, isSafe } = operation;
  const hasBody = contentTypes.length > 0;
  return [
    ...(hasBody ? [validationFailed([unknownProperty('body.colour', 'colour')])] : []),
    ...(isPaginated
      ? [validationFailed([{ field: 'query.limit', message: 'limit must not be greater than 100' }])]
      : []),
    foreignWorkspace(hasBody ? 'body' : 'query'),
    ...guardErrors(),
    ...(isSafe ? [] : [crossSiteRequest()]),
    ...(hasBody ? [bodyTooSlow(), bodyTooLarge(), unsupportedMediaType('text/plain', contentTypes)] : []),
    internalError({ error: { details: serverFailed(EXAMPLE_IDS.request) } }),
    databaseUnavailable(),
    workspaceBusy('database connection', 5),
  ];
}

/** The only refusal of an operation without a credential. */
export const malformedRequest = () =>
  new ApiError('MALFORMED_REQUEST', 'Bad Request', { details: 'The request could not be read as HTTP.' });
