import { Controller, UsePipes } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { ApiExcludeController } from '@nestjs/swagger';
import { messageValidation } from '../calls/message-validation';
import { MESSAGE_TYPES } from '../messaging/wire';
import { WorkerHelloDto } from './workers.dto';
import { WorkersService } from './workers.service';

/** What runtimes send about themselves. */
@ApiExcludeController()
@Controller()
@UsePipes(messageValidation)
export class WorkerHellosController {
  constructor(private readonly workers: WorkersService) {}

  @EventPattern(MESSAGE_TYPES.hello)
  hello(@Payload() { worker_id, ...hello }: WorkerHelloDto) {
    return this.workers.hello({ id: worker_id, ...hello });
  }
}
