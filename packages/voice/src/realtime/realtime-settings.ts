import type { Plan } from '../agent/plan';
import type { FunctionTool } from '../brain/tools';
import { REALTIME_RATE } from './realtime-recognition';

/** Recognises the person's words for the transcript. The model itself hears the audio. */
const TRANSCRIPTION_MODEL = 'gpt-4o-mini-transcribe';
const MAX_OUTPUT_TOKENS = 4_096;
/** A second of speech has 20 tokens of audio and 3 of text, so a text that is spoken takes this many times its tokens. */
const SPOKEN_TOKENS = 8;

/** The settings of a session. The runtime decides when a turn ends, as with every provider. */
export function createSession(plan: Plan, isSpoken: boolean, tools: readonly FunctionTool[]): object {
  const { language, recognition, voice, prompt } = plan;
  const format = { type: 'audio/pcm', rate: REALTIME_RATE };
  const tokens = isSpoken ? language.maxTokens * SPOKEN_TOKENS : language.maxTokens;
  return {
    type: 'realtime',
    output_modalities: [isSpoken ? 'audio' : 'text'],
    instructions: prompt,
    max_output_tokens: Math.min(MAX_OUTPUT_TOKENS, tokens),
    audio: {
      input: {
        format,
        turn_detection: null,
        noise_reduction: recognition.noiseReduction ? { type: 'near_field' } : null,
        transcription: {
          model: recognition.model || TRANSCRIPTION_MODEL,
          ...(['multi', ''].includes(recognition.language) ? {} : { language: recognition.language }),
          ...(recognition.terms.length > 0 ? { prompt: recognition.terms.join(', ') } : {}),
        },
      },
      output: { format, voice: voice.voice, speed: voice.speed },
    },
    tools: tools.map((tool) => ({ type: 'function', ...tool })),
    tool_choice: 'auto',
  };
}

/** @param baseUrl such as `https://api.openai.com/v1` */
export function createRealtimeUrl(baseUrl: string, model: string): string {
  const url = new URL(`${baseUrl.replace(/\/$/, '').replace(/^http/, 'ws')}/realtime`);
  url.searchParams.set('model', model);
  return url.href;
}
