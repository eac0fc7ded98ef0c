import type { SparePlaces } from '../rehearsal/rehearsal-places';

/** Calls whose person has not come, beyond one for each place. They cost some memory. */
const MORE_WAITING = 16;

interface WebCall {
  workspaceId: string;
  hasPlace: boolean;
  /** Ends the call. It is set while the connection of the person is lost. */
  giveUp?: () => void;
}

/**
 * The places of a process for web calls. A call takes one when its person comes. A workspace leaves some of the places,
 * and some of the calls that wait for their person, to the others.
 */
export class WebPlaces implements SparePlaces {
  private readonly calls = new Map<string, WebCall>();
  /** The most places, and the most calls that wait, of one workspace. */
  private readonly share: number;

  /** @param capacity the number of conversations at once */
  constructor(private readonly capacity: number) {
    this.share = Math.max(1, capacity - Math.max(1, Math.floor(capacity / 4)));
  }

  /** Lets a call wait for its person. @returns false if it must not, or if the person would find no place */
  admit(callId: string, workspaceId: string): boolean {
    const waiting = this.count(false);
    if (waiting.all >= this.capacity + MORE_WAITING || waiting.of(workspaceId) >= this.share) return false;
    if (!this.hasRoom(workspaceId) && !this.findLost(workspaceId)) return false;
    this.calls.set(callId, { workspaceId, hasPlace: false });
    return true;
  }

  /**
   * Gives a call that was admitted a place, as its person has come. If there is none, it gets the place of a call of the
   * workspace whose connection is lost. @returns false if there is none either
   */
  take(callId: string): boolean {
    const call = this.calls.get(callId);
    if (!call) return false;
    if (!this.hasRoom(call.workspaceId)) {
      const lost = this.findLost(call.workspaceId);
      if (!lost) return false;
      this.calls.delete(lost.id);
      lost.giveUp();
    }
    call.hasPlace = true;
    return true;
  }

  get hasSpare(): boolean {
    return this.capacity > 1;
  }

  /** Gives what is no call of a person a place until it leaves. @returns false if no other place would be free */
  takeSpare(id: string, workspaceId: string): boolean {
    if (this.count(true).all + 2 > this.capacity || !this.hasRoom(workspaceId)) return false;
    this.calls.set(id, { workspaceId, hasPlace: true });
    return true;
  }

  /** The connection of the person of a call is lost, and may come back. @param giveUp ends the call before */
  lost(callId: string, giveUp: () => void): void {
    const call = this.calls.get(callId);
    if (call) call.giveUp = giveUp;
  }

  returned(callId: string): void {
    const call = this.calls.get(callId);
    if (call) call.giveUp = undefined;
  }

  /** The call is over, or what had a spare place. */
  leave(callId: string): void {
    this.calls.delete(callId);
  }

  private hasRoom(workspaceId: string): boolean {
    const taken = this.count(true);
    return taken.all < this.capacity && taken.of(workspaceId) < this.share;
  }

  private findLost(wanted: string): { id: string; giveUp: () => void } | undefined {
    for (const [id, { workspaceId, giveUp }] of this.calls)
      if (workspaceId === wanted && giveUp) return { id, giveUp };
    return undefined;
  }

  private count(hasPlace: boolean) {
    const calls = [...this.calls.values()].filter((call) => call.hasPlace === hasPlace);
    return {
      all: calls.length,
      of: (workspaceId: string) => calls.filter((call) => call.workspaceId === workspaceId).length,
    };
  }
}
