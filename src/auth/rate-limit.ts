import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerStorage } from '@nestjs/throttler';
import type { AuthenticatedRequest, Caller } from '../http/access';
import { tooManyRequests } from './auth.errors';

export const RATE_WINDOW_MS = 60_000;

/**
 * Counts in whole minutes. The library's own storage keeps every request of the window and walks through them for
 * each one, which at thousands of requests a second costs more than the request.
 */
export class FixedWindowStorage implements ThrottlerStorage {
  private hits = new Map<string, number>();
  private windowEnds = 0;

  increment(key: string, ttl: number, limit: number) {
    const now = Date.now();
    if (now >= this.windowEnds) {
      this.hits = new Map();
      this.windowEnds = now + ttl;
    }
    const totalHits = (this.hits.get(key) ?? 0) + 1;
    this.hits.set(key, totalHits);
    const timeToExpire = Math.ceil((this.windowEnds - now) / 1_000);
    const isBlocked = totalHits > limit;
    return Promise.resolve({ totalHits, timeToExpire, isBlocked, timeToBlockExpire: timeToExpire });
  }
}

/** How many requests the workspace of a request may send in a window. */
export const limitOf = (context: ExecutionContext): number =>
  context.switchToHttp().getRequest<AuthenticatedRequest>().user.requestsPerMinute;

/** Bounds the requests of each workspace, whichever of its credentials they come with. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override getTracker(request: { user: Caller }): Promise<string> {
    return Promise.resolve(request.user.workspaceId);
  }

  /** One count for all routes together. */
  protected override generateKey(_: unknown, workspaceId: string): string {
    return workspaceId;
  }

  /** What needs no credential is not counted. */
  protected override shouldSkip(context: Parameters<ThrottlerGuard['canActivate']>[0]): Promise<boolean> {
    return Promise.resolve(context.switchToHttp().getRequest<{ user?: Caller }>().user === undefined);
  }

  protected override throwThrottlingException(
    _: unknown,
    { limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw tooManyRequests(limit, timeToBlockExpire);
  }
}
