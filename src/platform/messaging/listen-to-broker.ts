import { Catch, type ExceptionFilter, type INestApplication, type PipeTransform } from '@nestjs/common';
import type { NestMicroservice } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import { BrokerServer, BrokerServerOptions } from './broker.server';
import { MalformedMessageError } from './malformed-message.error';
import { MessageBroker } from './message-broker';

/** Nest's own filter would log each error with its stack and turn it into "Internal server error". */
@Catch()
class OriginalErrors implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/** Refuses an unreadable body within the handler's chain, whose filters may answer the request. */
class ReadableBodies implements PipeTransform {
  transform(body: unknown): unknown {
    if (body instanceof MalformedMessageError) throw body;
    return body;
  }
}

/** Delivers the messages of these queues to the application's handlers, until the application closes. */
export async function listenToBroker(
  app: INestApplication,
  options: BrokerServerOptions,
): Promise<BrokerServer> {
  const strategy = new BrokerServer(app.get(MessageBroker), options);
  const microservice = app.connectMicroservice(
    { strategy },
    // Without this option, Nest registers the handlers before a filter can be set.
    { deferInitialization: true },
  ) as NestMicroservice;
  microservice.useGlobalFilters(new OriginalErrors());
  microservice.useGlobalPipes(new ReadableBodies());
  // Without this, Nest runs each onModuleInit of the application a second time.
  microservice.setIsInitHookCalled(true);
  await microservice.listen();
  return strategy;
}
