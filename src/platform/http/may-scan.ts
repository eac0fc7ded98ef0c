import { applyDecorators, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { AuthenticatedRequest } from './access';
import { getAbortSignal } from './client-abort-signal';
import { type HandlerWrapper, WrapHandler } from './request.interceptor';
import { workspaceBusy } from './workspace-busy';
import { WorkspaceSemaphore } from '../limits/workspace-semaphore';

type Query = Request['query'];
type ScanCondition = (query: Query) => boolean;

const CONDITION = Symbol('condition of a scan');

/** The number of requests of one workspace that scan at once, in this process. */
const MAX_SCANS = 2;

const WAIT_SECONDS = 5;

/** Runs the handler of a route that may scan when a permit of its workspace is free. */
@Injectable()
export class ScanPermits implements HandlerWrapper {
  private readonly permits = new WorkspaceSemaphore({
    permits: MAX_SCANS,
    busy: (seconds) => workspaceBusy('search of a list', seconds),
    waitSeconds: WAIT_SECONDS,
  });

  constructor(private readonly reflector: Reflector) {}

  /** @throws 503, 499 as {@link WorkspaceSemaphore.acquire} does */
  async run(context: ExecutionContext, handler: () => Promise<unknown>): Promise<unknown> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const mayScan = this.reflector.get<ScanCondition>(CONDITION, context.getHandler());
    if (!mayScan(request.query)) return handler();
    return this.scan(request.user.workspaceId, context.switchToHttp().getResponse<Response>(), handler);
  }

  /** Runs work that may scan for a request that the condition of a route does not decide. @throws 503, 499 */
  async scan<Result>(workspaceId: string, response: Response, work: () => Promise<Result>): Promise<Result> {
    const abortSignal = () => getAbortSignal(response);
    const release = await this.permits.acquire(workspaceId, { abortSignal });
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/** Whether a query has one of these parameters. */
export const hasOneOf =
  (...names: string[]): ScanCondition =>
  (query) =>
    names.some((name) => query[name] !== undefined);

/** Declares that a statement of the route reads many rows of the workspace, always or for some queries. */
export const MayScan = (condition: ScanCondition = () => true) =>
  applyDecorators(SetMetadata(CONDITION, condition), WrapHandler(ScanPermits));
