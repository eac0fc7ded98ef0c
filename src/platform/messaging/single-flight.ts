import { answerWithin } from './settle-within';

/**
 * Sends one request to a broker at a time, however many callers wait for the answer, and keeps the answer for a
 * moment: any number of callers causes at most one request a second.
 */
export class SingleFlight<Answer> {
  private request: Promise<Answer> | undefined;

  /**
   * @param timeoutMs the longest wait of a caller. The next request starts when the last one was answered.
   * @param keptMs the greatest age of an answer
   */
  constructor(
    private readonly send: () => Promise<Answer>,
    private readonly timeoutMs: number,
    private readonly keptMs = 1_000,
  ) {}

  /** @throws the error of the request, or one after the time limit */
  answer(): Promise<Answer> {
    this.request ??= this.start();
    return answerWithin(this.timeoutMs, this.request);
  }

  private start(): Promise<Answer> {
    const request = this.send();
    request.then(
      () => setTimeout(() => this.clear(), this.keptMs).unref(),
      () => this.clear(),
    );
    return request;
  }

  private clear(): void {
    this.request = undefined;
  }
}
