import captureUrl from './capture.worklet?worker&url';
import type { PlaybackNews, PlaybackOrder } from './playback.worklet';
import playbackUrl from './playback.worklet?worker&url';

/** Why the microphone cannot be used. */
export type MicrophoneProblem = 'insecure' | 'refused' | 'absent' | 'busy' | 'failed';

export class MicrophoneError extends Error {
  constructor(
    readonly problem: MicrophoneProblem,
    cause?: unknown,
  ) {
    super(problem, { cause });
  }
}

const PROBLEMS: Record<string, MicrophoneProblem | undefined> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
  NotReadableError: 'busy',
};

interface Listener {
  /** 20 ms of the microphone. */
  frame(samples: Int16Array): void;
  /** Marks whose audio was played, or dropped. */
  marks(names: string[]): void;
  /** The microphone was unplugged, or its permission was withdrawn. */
  microphoneLost(): void;
}

/** The microphone and the loudspeaker during a call. */
export class Sound {
  private readonly meters: Record<'user' | 'agent', AnalyserNode>;

  private constructor(
    private readonly context: AudioContext,
    private readonly microphone: MediaStreamTrack,
    private readonly playback: AudioWorkletNode,
    meters: [AnalyserNode, AnalyserNode],
  ) {
    this.meters = { user: meters[0], agent: meters[1] };
  }

  /**
   * Begins in the click of the person: browsers let no other page make a sound.
   * @throws MicrophoneError
   */
  static async open(listener: Listener): Promise<Sound> {
    // The library says that it is always there; it is missing on pages over plain HTTP.
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    if (!devices || !window.isSecureContext) throw new MicrophoneError('insecure');
    const context = new AudioContext({ latencyHint: 'interactive' });
    let stream: MediaStream | undefined;
    try {
      void context.resume();
      const audio = {
        echoCancellation: true,
        noiseSuppression: true,
        autoGainControl: true,
        channelCount: 1,
      };
      await Promise.all([captureUrl, playbackUrl].map((url) => context.audioWorklet.addModule(url)));
      stream = await devices.getUserMedia({ audio });
      const [microphone] = stream.getAudioTracks();
      if (!microphone) throw new MicrophoneError('absent');
      return Sound.connect(context, stream, microphone, listener);
    } catch (error) {
      stream?.getTracks().forEach((track) => track.stop());
      await context.close();
      if (error instanceof MicrophoneError) throw error;
      throw new MicrophoneError(PROBLEMS[(error as Error).name] ?? 'failed', error);
    }
  }

  private static connect(
    context: AudioContext,
    stream: MediaStream,
    microphone: MediaStreamTrack,
    listener: Listener,
  ): Sound {
    const [person, agent] = [new AnalyserNode(context), new AnalyserNode(context)];
    const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 });
    const playback = new AudioWorkletNode(context, 'playback', {
      numberOfInputs: 0,
      outputChannelCount: [1],
    });
    context.createMediaStreamSource(stream).connect(person).connect(capture);
    playback.connect(agent).connect(context.destination);
    capture.port.onmessage = ({ data }: MessageEvent<Int16Array>) => listener.frame(data);
    playback.port.onmessage = ({ data }: MessageEvent<PlaybackNews>) => listener.marks(data.marks);
    microphone.onended = () => listener.microphoneLost();
    return new Sound(context, microphone, playback, [person, agent]);
  }

  play(samples: Int16Array<ArrayBuffer>): void {
    this.order(samples, [samples.buffer]);
  }

  mark(name: string): void {
    this.order({ mark: name });
  }

  clear(): void {
    this.order('clear');
  }

  /** The frames go on, in silence. */
  setMuted(isMuted: boolean): void {
    this.microphone.enabled = !isMuted;
  }

  /** The loudness of a voice now, from 0 to 1. */
  level(who: 'user' | 'agent'): number {
    const samples = new Float32Array(this.meters[who].fftSize);
    this.meters[who].getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    // Speech is at about 0.1; its square root fills the meter better.
    return Math.min(1, Math.sqrt(Math.sqrt(power)) * 1.6);
  }

  async close(): Promise<void> {
    this.microphone.onended = null;
    this.microphone.stop();
    if (this.context.state !== 'closed') await this.context.close();
  }

  private order(order: PlaybackOrder, transfer: Transferable[] = []): void {
    this.playback.port.postMessage(order, transfer);
  }
}
