import { Injectable } from '@nestjs/common';
import { Logger } from 'nestjs-pino';

/** Nest's own accounts of its start: some eighty lines that nobody reads until something is missing. */
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
