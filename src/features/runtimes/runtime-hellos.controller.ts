import { Controller, UsePipes } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { ApiExcludeController } from '@nestjs/swagger';
import { messageValidation } from '../calls/runtime-messages/message-validation';
import { MESSAGE_TYPES } from '../../platform/messaging/wire';
import { WorkerHelloDto } from './runtimes.dto';
import { RuntimesService } from './runtimes.service';

/** Receives the messages of runtimes about themselves. */
@ApiExcludeController()
@Controller()
@UsePipes(messageValidation)
export class RuntimeHellosController {
  constructor(private readonly workers: RuntimesService) {}

  @EventPattern(MESSAGE_TYPES.hello)
  hello(@Payload() { worker_id, ...hello }: WorkerHelloDto) {
    return this.workers.hello({ id: worker_id, ...hello });
  }
}
