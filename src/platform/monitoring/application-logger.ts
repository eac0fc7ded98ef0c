import { Injectable } from '@nestjs/common';
import { Logger } from 'nestjs-pino';

/** Nest logs about eighty lines about its start, which only help to find an error in it. */
const FRAMEWORK = [
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'NestMicroservice',
];

@Injectable()
export class ApplicationLogger extends Logger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (FRAMEWORK.includes(rest.at(-1) as string)) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }
}
