import playbackUrl from './playback.worklet?worker&url';
import type { PlaybackOrder } from './playback.worklet';

/** The loudspeaker of a page that only listens. */
export class Loudspeaker {
  private constructor(
    private readonly context: AudioContext,
    private readonly playback: AudioWorkletNode,
  ) {}

  /** Begins in a click: browsers let no other page make a sound. @returns undefined if the page is not secure */
  static async open(): Promise<Loudspeaker | undefined> {
    if (!window.isSecureContext) return undefined;
    const context = new AudioContext({ latencyHint: 'interactive' });
    try {
      void context.resume();
      await context.audioWorklet.addModule(playbackUrl);
      const playback = new AudioWorkletNode(context, 'playback', {
        numberOfInputs: 0,
        outputChannelCount: [1],
      });
      playback.connect(context.destination);
      return new Loudspeaker(context, playback);
    } catch (error) {
      await context.close();
      throw error;
    }
  }

  play(samples: Int16Array<ArrayBuffer>): void {
    this.playback.port.postMessage(samples satisfies PlaybackOrder, [samples.buffer]);
  }

  async close(): Promise<void> {
    if (this.context.state !== 'closed') await this.context.close();
  }
}
