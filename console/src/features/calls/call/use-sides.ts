import { type RefObject, useEffect, useRef, useState } from 'react';

export const SIDES = ['both', 'person', 'agent'] as const;
export type Side = (typeof SIDES)[number];

/** The loudness of the left channel, which is the person, and of the right channel. */
const GAINS: Record<Side, [person: number, agent: number]> = {
  both: [1, 1],
  person: [1, 0],
  agent: [0, 1],
};

/** Plays both sides of a recording, or one of them, on both loudspeakers. */
export function useSides(audio: RefObject<HTMLAudioElement | null>) {
  const [side, setSide] = useState<Side>('both');
  const graph = useRef<{ context: AudioContext; gains: [GainNode, GainNode] }>(undefined);
  useEffect(() => () => void graph.current?.context.close(), []);

  const choose = (chosen: Side) => {
    const { current } = audio;
    if (!current) return;
    // An element can have one source for ever, so it is made at the first choice.
    graph.current ??= connect(current);
    const { context, gains } = graph.current;
    void context.resume();
    gains.forEach((node, index) => (node.gain.value = GAINS[chosen][index] ?? 1));
    setSide(chosen);
  };
  return { side, choose };
}

function connect(element: HTMLAudioElement) {
  const context = new AudioContext();
  const splitter = new ChannelSplitterNode(context, { numberOfOutputs: 2 });
  const gains: [GainNode, GainNode] = [new GainNode(context), new GainNode(context)];
  context.createMediaElementSource(element).connect(splitter);
  gains.forEach((node, index) => {
    splitter.connect(node, index);
    node.connect(context.destination);
  });
  return { context, gains };
}
