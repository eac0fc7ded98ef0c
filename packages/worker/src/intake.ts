import { Subscription, type SubscriptionOptions } from './subscription';
import type { Delivery } from './transport';

/** The number of deliveries that are claimed at once. */
const MAX_PREFETCH = 100;

export interface IntakeOptions extends Omit<SubscriptionOptions, 'delivered'> {
  capacity: number;
  /** Handles a delivery, and resolves when it is settled. */
  take: (delivery: Delivery) => Promise<void>;
}

/** A subscription with the number of its deliveries that are not settled. */
interface Current {
  subscription: Subscription;
  open: number;
}

/**
 * Takes deliveries from the queue of calls, never more than there are free places: a worker that is full must not keep
 * a call from one that is idle. A call takes a place, and so does each delivery that the broker may still send. The
 * broker cannot change the prefetch of a consumer, so the consumer is replaced when there is no place for all of it.
 */
export class Intake {
  private current: Current | undefined;
  private calls = 0;
  /** The deliveries of earlier subscriptions that are not settled. */
  private openEarlier = 0;
  private readonly waiting = new Set<() => void>();
  private readonly working = new Set<Promise<void>>();
  private isPaused = false;
  private isStopped = false;
  private adjusting: Promise<void> | undefined;
  private isStale = false;

  constructor(private readonly options: IntakeOptions) {}

  start(): void {
    void this.adjust();
  }

  /** Pauses the intake, or continues it. */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    void this.adjust();
  }

  /**
   * Turns a delivery into a call. Resolves when it may be acknowledged, after which the broker may send another
   * one.
   */
  async hold(): Promise<void> {
    this.calls += 1;
    await this.adjust();
  }

  /** Waits for a place for a call that does not come from the queue. @returns false if the signal was first */
  async reserve(signal: AbortSignal): Promise<boolean> {
    const reserved = new Promise<boolean>((resolve) => {
      const admit = () => resolve(true);
      this.waiting.add(admit);
      const leave = () => resolve(!this.waiting.delete(admit));
      if (signal.aborted) leave();
      signal.addEventListener('abort', leave, { once: true });
    });
    void this.adjust();
    return reserved;
  }

  /** Releases the place of a call that is over. */
  release(): void {
    this.calls -= 1;
    void this.adjust();
  }

  /** Resolves when no delivery is open. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.adjust();
    await Promise.all(this.working);
  }

  /** Adapts the subscription to the free places. A change in the meantime causes another pass. */
  private async adjust(): Promise<void> {
    this.isStale = true;
    this.adjusting ??= this.adjustUntilDone();
    await this.adjusting;
  }

  private async adjustUntilDone(): Promise<void> {
    // `adjusting` is set only after this.
    await Promise.resolve();
    while (this.isStale) {
      this.isStale = false;
      if (this.current && !this.fits(this.current.subscription.prefetch)) await this.cancel(this.current);
      this.admit();
      const prefetch = this.wanted();
      if (!this.current && prefetch > 0) this.subscribe(prefetch);
    }
    this.adjusting = undefined;
  }

  private admit(): void {
    for (const admit of this.waiting) {
      if (this.free <= (this.current?.subscription.prefetch ?? 0)) return;
      this.waiting.delete(admit);
      this.calls += 1;
      admit();
    }
  }

  /** Places that neither a call nor a delivery of an earlier subscription has. */
  private get free(): number {
    return this.options.capacity - this.calls - this.openEarlier;
  }

  /** Half of the free places, so that most calls do not need another subscription. */
  private wanted(): number {
    const room = this.isPaused || this.isStopped ? 0 : this.free - this.waiting.size;
    return Math.min(MAX_PREFETCH, Math.max(0, Math.ceil(room / 2)));
  }

  /** A subscription for a few places is replaced when there are many. */
  private fits(prefetch: number): boolean {
    if (this.isPaused || this.isStopped) return false;
    return prefetch <= this.free - this.waiting.size && prefetch * 4 >= this.wanted();
  }

  private subscribe(prefetch: number): void {
    const delivered = (delivery: Delivery) => this.work(current, delivery);
    const subscription = new Subscription({ ...this.options, delivered }, prefetch);
    const current: Current = { subscription, open: 0 };
    this.current = current;
    void subscription.ended.then(() => {
      this.retire(current);
      void this.adjust();
    });
  }

  private async cancel(current: Current): Promise<void> {
    await current.subscription.cancel();
    this.retire(current);
  }

  private retire(current: Current): void {
    if (this.current !== current) return;
    this.current = undefined;
    this.openEarlier += current.open;
  }

  private work(from: Current, delivery: Delivery): void {
    if (this.current === from) from.open += 1;
    else this.openEarlier += 1;
    const work = this.options.take(delivery).finally(() => {
      this.working.delete(work);
      if (this.current === from) from.open -= 1;
      else {
        this.openEarlier -= 1;
        void this.adjust();
      }
    });
    this.working.add(work);
  }
}
