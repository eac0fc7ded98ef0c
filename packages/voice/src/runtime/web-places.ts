/** Calls whose person has not come, beyond one for each place. They cost some memory. */
const MORE_WAITING = 16;

interface WaitingCall {
  workspaceId: string;
  hasPlace: boolean;
}

/**
 * The places of a process for web calls. A call takes one when its person comes. A workspace leaves some of the places,
 * and some of the calls that wait for their person, to the others.
 */
export class WebPlaces {
  private readonly calls = new Map<string, WaitingCall>();
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
    if (!this.hasRoom(workspaceId)) return false;
    this.calls.set(callId, { workspaceId, hasPlace: false });
    return true;
  }

  /** Gives a call that was admitted a place, as its person has come. @returns false if there is none any more */
  take(callId: string): boolean {
    const call = this.calls.get(callId);
    if (!call || !this.hasRoom(call.workspaceId)) return false;
    call.hasPlace = true;
    return true;
  }

  /** The call is over. */
  leave(callId: string): void {
    this.calls.delete(callId);
  }

  private hasRoom(workspaceId: string): boolean {
    const taken = this.count(true);
    return taken.all < this.capacity && taken.of(workspaceId) < this.share;
  }

  private count(hasPlace: boolean) {
    const calls = [...this.calls.values()].filter((call) => call.hasPlace === hasPlace);
    return {
      all: calls.length,
      of: (workspaceId: string) => calls.filter((call) => call.workspaceId === workspaceId).length,
    };
  }
}
