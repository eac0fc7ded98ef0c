import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, InferenceSession, Tensor } from 'onnxruntime-web';
import { RECOGNITION_RATE } from '../speech';

const LAYERS = 6;
const HEADS = 8;
const HEAD_SIZE = 36;
const BEGIN_TOKEN = 1;
const END_TOKEN = 2;
/** The model's own rule: more tokens a second are a loop, not speech. */
const TOKENS_PER_SECOND = 6;
/** The model hears nothing in less. */
const MIN_SAMPLES = RECOGNITION_RATE / 10;

type Tensors = Record<string, Tensor>;

/** The model Moonshine tiny, quantized, for English. */
export class Moonshine {
  private constructor(
    private readonly encoder: InferenceSession,
    private readonly decoder: InferenceSession,
    private readonly detokenize: (tokens: number[]) => string,
  ) {}

  static async load(): Promise<Moonshine> {
    env.wasm.numThreads = 1;
    const folder = join(packageFolder('@moonshine-ai/moonshine-js'), 'dist/model/tiny/quantized');
    const session = async (name: string, graphOptimizationLevel: 'disabled' | 'basic') =>
      InferenceSession.create(await readFile(join(folder, name)), {
        graphOptimizationLevel,
        extra: { session: { disable_prepacking: '1' } },
      });
    const { default: tokenizer } = await import('llama-tokenizer-js');
    return new Moonshine(
      // More optimization takes 1.1 s of processor time longer to load, and saves 1 % of a recognition.
      await session('encoder_model.onnx', 'disabled'),
      await session('decoder_model_merged.onnx', 'basic'),
      (tokens) => tokenizer.decode(tokens),
    );
  }

  /** @param samples at {@link RECOGNITION_RATE}; a few seconds, because the time grows faster than their number */
  async recognize(samples: Int16Array): Promise<string> {
    if (samples.length < MIN_SAMPLES) return '';
    const input = Float32Array.from(samples, (sample) => sample / 32_768);
    const encoded = await this.encoder.run({ input_values: new Tensor('float32', input, [1, input.length]) });
    const hidden = encoded.last_hidden_state as Tensor;
    const tokens: number[] = [];
    const maxTokens = Math.ceil((samples.length / RECOGNITION_RATE) * TOKENS_PER_SECOND);
    let cache = emptyCache();
    let token = BEGIN_TOKEN;
    for (let step = 0; step < maxTokens; step++) {
      const output = await this.decoder.run({
        input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
        encoder_hidden_states: hidden,
        use_cache_branch: new Tensor('bool', [step > 0], [1]),
        ...cache,
      });
      token = mostLikely(output.logits as Tensor);
      if (token === END_TOKEN) break;
      tokens.push(token);
      cache = nextCache(cache, output, step);
    }
    return this.detokenize([BEGIN_TOKEN, ...tokens]).trim();
  }
}

/** `require.resolve` finds only what a package exports, and this one exports no model. */
function packageFolder(name: string): string {
  const folders = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name));
  const found = folders.find((folder) => existsSync(folder));
  if (!found) throw new Error(`The package ${name} is not installed`);
  return found;
}

function emptyCache(): Tensors {
  const cache: Tensors = {};
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const part of ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value']) {
      const empty = new Tensor('float32', new Float32Array(0), [0, HEADS, 1, HEAD_SIZE]);
      cache[`past_key_values.${layer}.${part}`] = empty;
    }
  }
  return cache;
}

/** The encoder's part is computed in the first step, and stays. */
function nextCache(cache: Tensors, output: Tensors, step: number): Tensors {
  const changed = Object.keys(cache).filter((name) => step === 0 || name.includes('.decoder.'));
  const present = changed.map((name) => [name, output[name.replace('past_key_values', 'present')]] as const);
  return { ...cache, ...(Object.fromEntries(present) as Tensors) };
}

function mostLikely(logits: Tensor): number {
  const values = logits.data as Float32Array;
  const first = values.length - (logits.dims[2] ?? 0);
  let best = first;
  for (let index = first; index < values.length; index++) {
    if ((values[index] ?? 0) > (values[best] ?? 0)) best = index;
  }
  return best - first;
}
