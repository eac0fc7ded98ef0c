import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { AuthenticatedRequest } from '../../platform/http/access';
import { type SuccessResponse, declaredSuccess } from '../../platform/http/envelope';
import { validationFailed } from '../../platform/http/errors';

/** A request that may be sent again under its Idempotency-Key. */
export interface IdempotentRequest {
  workspaceId: string;
  /** The method and the path with its ids, such as `POST /api/agents/<id>/calls`. */
  endpoint: string;
  key: string;
  body: object;
  /** The answer of the route when it succeeds. */
  success: SuccessResponse;
}

const invalidKey = () =>
  validationFailed([
    {
      field: 'headers.idempotency-key',
      message: 'Idempotency-Key must be sent once, with 1 to 255 printable ASCII characters, such as a UUID',
    },
  ]);

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

const VERSION = /^[1-9]\d{0,9}$/;

/** @returns undefined for a request without a key @throws 400 */
export function getIdempotentRequest(context: ExecutionContext): IdempotentRequest | undefined {
  const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
  const key = readKey(request);
  if (key === undefined) return undefined;
  const ids = Object.values(request.params as Record<string, string>);
  // A malformed id leads to a 404, and a refusal leaves the key unused.
  if (!ids.every((id) => isUUID(id) || VERSION.test(id))) return undefined;
  return {
    workspaceId: request.user.workspaceId,
    endpoint: getEndpoint(request),
    key,
    body: request.body as object,
    success: declaredSuccess(context) as SuccessResponse,
  };
}

/** @throws 400 */
function readKey(request: AuthenticatedRequest): string | undefined {
  // `headers` would join two keys into one, which a retry that sends one key would not match.
  const keys = request.headersDistinct['idempotency-key'];
  if (keys === undefined) return undefined;
  const [key = '', another] = keys;
  if (another !== undefined || !PRINTABLE.test(key)) throw invalidKey();
  return key;
}

/** The Idempotency-Key of a request whose feature keeps it; undefined: it has none. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) =>
  readKey(context.switchToHttp().getRequest<AuthenticatedRequest>()),
);

/** The path as the route declares it, with ids in lower case, so that each resource has one. */
function getEndpoint({ method, route, params }: AuthenticatedRequest): string {
  const { path } = route as { path: string };
  return `${method} ${path.replace(/:(\w+)/g, (_, name: string) => String(params[name]).toLowerCase())}`;
}
