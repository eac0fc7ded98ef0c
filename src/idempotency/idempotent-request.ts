import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { AuthenticatedRequest } from '../http/access';
import { type Answer, declaredAnswer } from '../http/envelope';
import { validationFailed } from '../http/errors';

/** A request that may be sent again under its Idempotency-Key. */
export interface IdempotentRequest {
  workspaceId: string;
  endpoint: string;
  key: string;
  body: object;
  /** What the route answers with when it succeeds. */
  answer: Answer;
}

const invalidKey = () =>
  validationFailed([
    {
      field: 'headers.idempotency-key',
      message: 'Idempotency-Key must be sent once, with 1 to 255 printable ASCII characters, such as a UUID',
    },
  ]);

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The request with its Idempotency-Key; undefined where it has none. The route says `idempotent` in its answers. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentRequest | undefined => {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    // Two of them would be joined to one in `headers`, which a retry that sends one would not match.
    const keys = request.headersDistinct['idempotency-key'];
    if (keys === undefined) return undefined;
    const [key = '', another] = keys;
    if (another !== undefined || !PRINTABLE.test(key)) throw invalidKey();
    const ids = Object.values(request.params as Record<string, string>);
    // A malformed id leads to a 404, which is not kept anyway.
    if (!ids.every((id) => isUUID(id))) return undefined;
    return {
      workspaceId: request.user.workspaceId,
      endpoint: endpointOf(request),
      key,
      body: request.body as object,
      answer: declaredAnswer(context) as Answer,
    };
  },
);

/** The path as the route spells it, with ids in lower case: one address, however it was written. */
function endpointOf({ method, route, params }: AuthenticatedRequest): string {
  const { path } = route as { path: string };
  return `${method} ${path.replace(/:(\w+)/g, (_, name: string) => String(params[name]).toLowerCase())}`;
}
