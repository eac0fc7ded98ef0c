import {
  applyDecorators,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  SetMetadata,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { CONFIG, type Config, getDefault } from '../../config';
import { isOutcomeUnknown } from '../../platform/database/outcome-unknown';
import { ApiErrorResponses } from '../../platform/http/error-responses';
import type { ApiError } from '../../platform/http/errors';
import { type HandlerWrapper, WrapHandler } from '../../platform/http/request.interceptor';
import { keyReused, requestInProgress } from './idempotency.errors';
import { IdempotencyService } from './idempotency.service';
import { getIdempotentRequest } from './idempotent-request';
import { RETENTION_HOURS } from './retention';

interface Options {
  /** The error that answers a request if it is unknown whether its work was committed. */
  unknownOutcome: (settings: Pick<Config, 'CALL_TTL_SECONDS'>) => ApiError;
}

const OPTIONS = Symbol('idempotent');

/** Runs the handler of each request of an idempotent route, also without a key: it maps its unknown outcome. */
@Injectable()
export class IdempotentHandler implements HandlerWrapper {
  private readonly logger = new Logger(IdempotentHandler.name);

  constructor(
    private readonly idempotency: IdempotencyService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  run(context: ExecutionContext, handler: () => Promise<unknown>): Promise<unknown> {
    const request = getIdempotentRequest(context);
    const work = () => handler().catch((error: unknown) => this.fail(context, error));
    return request ? this.idempotency.execute(request, work) : work();
  }

  private fail(context: ExecutionContext, error: unknown): never {
    if (!isOutcomeUnknown(error)) throw error;
    const { unknownOutcome } = Reflect.getMetadata(OPTIONS, context.getHandler()) as Options;
    const failure = unknownOutcome(this.config);
    this.logger.error({ err: error }, failure.message);
    throw failure;
  }
}

/**
 * Declares that a request may come with an Idempotency-Key, and be sent again with it. The handler's service does its
 * work in `IdempotencyService.transaction`, or stores the response of the current attempt itself.
 */
export const Idempotent = (options: Options) =>
  applyDecorators(
    SetMetadata(OPTIONS, options),
    WrapHandler(IdempotentHandler),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        `Makes it safe to send the request again: within ${RETENTION_HOURS} hours, the same request with the same key is answered ` +
        'like the first one, and nothing is done twice. A refusal leaves the key unused.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
      example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    }),
    ApiErrorResponses([
      requestInProgress(),
      keyReused(),
      options.unknownOutcome({ CALL_TTL_SECONDS: getDefault('CALL_TTL_SECONDS') }),
    ]),
  );
