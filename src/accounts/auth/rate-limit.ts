import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerStorage } from '@nestjs/throttler';
import type { AuthenticatedRequest, Caller } from '../../platform/http/access';
import { tooManyRequests } from './auth.errors';

export const RATE_WINDOW_MS = 60_000;

/**
 * Counts the requests of a minute that is the same for all workspaces. The storage of the library walks
 * through all requests of the minute at each request, which is slow for thousands of them each second.
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

/** The limit of the workspace. */
export const getLimit = (context: ExecutionContext): number =>
  context.switchToHttp().getRequest<AuthenticatedRequest>().user.requestsPerMinute;

/** Limits the requests of each workspace, with all of its credentials together. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override getTracker(request: { user: Caller }): Promise<string> {
    return Promise.resolve(request.user.workspaceId);
  }

  /** All routes share one count. */
  protected override generateKey(_: unknown, workspaceId: string): string {
    return workspaceId;
  }

  /** Requests to public routes are not counted. */
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
